import type { Snapshot } from '../../candles/columns.js'
import type { Refusal } from '../../contract/refusals.js'

/** Candles as they are now. `stale` means that the exchange gave no newer ones when it was asked last, or that they are old. */
export interface Reading {
  readonly kind: 'candles'
  readonly snapshot: Snapshot
  readonly stale: boolean
  /** Of stale candles: seconds since the end of the newest one. */
  readonly age?: number
}

/** How far a fetch has come. */
export interface FetchProgress {
  /** Candles that are there without a hole, counted from the newest. */
  done: number
  /** Candles that are to be there in the end, at most. */
  readonly total: number
}

/**
 * Candles of a series are being fetched, for the first time or for a time that begins before those that are known; `ready` ends
 * with them or with a SourceFailure.
 */
export interface Pending<Ready = Reading> {
  readonly kind: 'pending'
  readonly key: string
  readonly ready: Promise<Ready>
  /** Where older candles are fetched. */
  readonly progress?: Readonly<FetchProgress>
}

/** The candles of a market cannot be read. */
export interface RefusedMarket {
  readonly kind: 'refused'
  readonly refusal: Refusal
}
