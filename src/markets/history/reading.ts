import type { Inputs } from '../../candles/columns.js'
import type { Refusal } from '../../contract/refusals.js'

/** Present candles. `stale` means that the exchange returned no newer ones to the last request, or that they are old. */
export interface Reading {
  readonly kind: 'candles'
  /** Candles of a market; after a join with other markets, those of all. */
  readonly inputs: Inputs
  readonly stale: boolean
  /** Seconds since the end of the newest candle, if the candles are stale. */
  readonly age?: number
}

export interface FetchProgress {
  /** Number of available candles without a hole, counted from the newest. */
  done: number
  /** Maximum number of candles at the end. */
  readonly total: number
}

/**
 * A series that is being fetched: for the first time, or for a time that begins before the known candles. `ready`
 * ends with the candles or with a SourceFailure.
 */
export interface Pending<Ready = Reading> {
  readonly kind: 'pending'
  readonly key: string
  readonly ready: Promise<Ready>
  /** Progress, if older candles are fetched. */
  readonly progress?: Readonly<FetchProgress>
}

/** A market whose candles cannot be read. */
export interface RefusedMarket {
  readonly kind: 'refused'
  readonly refusal: Refusal
}
