import type { Snapshot } from '../candles/columns.js'

/** Candles as they are now. `stale` means that the exchange gave no newer ones when it was asked last. */
export interface Reading {
  readonly kind: 'candles'
  readonly snapshot: Snapshot
  readonly stale: boolean
}

/** The first fetch of a series is under way; `ready` ends with its candles or with a SourceFailure. */
export interface Pending {
  readonly kind: 'pending'
  readonly key: string
  readonly ready: Promise<Reading>
}
