import type { Snapshot } from '../candles/columns.js'
import type { Market } from '../contract/market.js'
import type { Source } from './source.js'

/** Hears of the candles of one market. */
export interface Follower {
  /** The series moved. Called in the order of events; never from within `follow`. */
  changed(snapshot: Snapshot): void
}

/** A market that is followed. */
export interface Following {
  /** The candles as they are now. */
  snapshot(): Snapshot
  /** Ends it. Nothing is heard afterwards. */
  release(): void
}

/** Markets that are kept up to date as they move, however many follow each. */
export interface Live {
  /** Markets that are watched or polled at present. */
  readonly feeds: number
  /** Resolves when the candles are there; rejects with a SourceFailure when they cannot be had. */
  follow(market: Market, source: Source, follower: Follower): Promise<Following>
  close(): Promise<void>
}
