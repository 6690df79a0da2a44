import type { Snapshot } from '../candles/columns.js'
import type { Query } from '../contract/query.js'

/** What is assumed of a kernel that has not run yet, in nanoseconds per candle: more than most of them take. */
const assumedNs = 20
/** Setting up one calculation, in nanoseconds. */
const setupNs = 1_500
/** Writing one number as text, in nanoseconds. */
const numberNs = 90
/** A higher reading counts for little: it is more often a disturbance than a slower kernel. */
const rise = 1 / 16

/**
 * What kernels cost on this machine, learned as they run: a lower reading counts at once, higher ones slowly.
 */
export class CostEstimates {
  /** Nanoseconds per candle by indicator. */
  readonly #known = new Map<string, number>()

  /** Takes in that a kernel took `ns` nanoseconds for `candles`. */
  record(indicator: string, candles: number, ns: number): void {
    const reading = ns / candles
    const known = this.#known.get(indicator)
    this.#known.set(
      indicator,
      known === undefined || reading < known ? reading : known + (reading - known) * rise,
    )
  }

  /** Nanoseconds per candle. */
  nsPerCandle(indicator: string): number {
    return this.#known.get(indicator) ?? assumedNs
  }

  /** Nanoseconds that an answer is likely to take. */
  estimate({ indicator, params, results, backtrack }: Query, { count }: Snapshot): number {
    const candles = Math.max(0, count - backtrack)
    const printed = Math.max(0, Math.min(results, candles - indicator.lookback(params)))
    return (
      setupNs +
      candles * this.nsPerCandle(indicator.name) +
      printed * (indicator.outputs.length + 1) * numberNs
    )
  }
}
