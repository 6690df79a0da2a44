import type { Market } from '../../contract/market.js'
import type { Source } from '../exchanges/source.js'
import type { PinnedSeries } from '../history/history.js'

/** What the parts of a feed know of its market. */
export interface FollowedMarket {
  readonly market: Market
  readonly source: Source
  readonly series: PinnedSeries
  /** Seconds after the end of a candle without a successor from which the exchange's history shows it as closed. */
  readonly grace: number
  /** Seconds between two fetches while there is no stream. */
  readonly pollSeconds: number
  /** Milliseconds before what failed is repeated; they double with every failure, up to a minute. */
  readonly backoffMs: number
  /** Unix seconds. */
  readonly clock: () => number
  /** Aborted when the feed is closed. */
  readonly ended: AbortSignal
  /** Called with every failure, which is repaired. */
  readonly onFault: (error: unknown) => void
}

/** The longest wait before a repetition. */
export const maxBackoffMs = 60_000
