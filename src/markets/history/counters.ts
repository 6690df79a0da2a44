import { type Counter, noopCounter } from '../../runtime/counter.js'
import type { Histogram } from '../../runtime/durations.js'

/** What is counted about candles. */
export interface Counters {
  /** Requests to an exchange, by `exchange` and `outcome`. */
  readonly fetches: Counter
  /** How long requests to an exchange have taken, by `exchange` and `outcome`; computed candles are left out. */
  readonly fetchSeconds: Histogram
  /** Readings that could not be brought up to date, by `exchange`. */
  readonly stale: Counter
  /** Additions to the archive. */
  readonly writes: Counter
  /** Reads and writes of the archive that failed. */
  readonly failures: Counter
}

/** Counters that count nothing. */
export const noopCounters: Counters = {
  fetches: noopCounter,
  fetchSeconds: { add() {} },
  stale: noopCounter,
  writes: noopCounter,
  failures: noopCounter,
}
