import { setImmediate as nextTurn } from 'node:timers/promises'

/** What computations may hold the event loop for without a turn, in estimated nanoseconds. */
export const maxInlineNs = 4_000_000

/** How many candles a turn has time for that take so many estimated nanoseconds each; at least one. */
export const candlesOfTurn = (nsPerCandle: number): number =>
  Math.max(1, Math.floor(maxInlineNs / nsPerCandle))

/** Bounds the computations of one turn of the event loop, so that it does in between what else is due. */
export class TurnBudget {
  readonly #maxNs: number
  #spentNs = 0

  /** `maxNs` is what a turn has time for, in estimated nanoseconds. */
  constructor(maxNs = maxInlineNs) {
    this.#maxNs = maxNs
  }

  /** Counts a computation where this turn has time for it. One that takes longer than a turn has a turn of its own. */
  take(ns: number): boolean {
    if (this.#spentNs > 0 && this.#spentNs + ns > this.#maxNs) return false
    if (this.#spentNs === 0) setImmediate(() => this.#begin())
    this.#spentNs += ns
    return true
  }

  /** Resolves in a turn that has time for a computation, which is counted. */
  async wait(ns: number): Promise<void> {
    while (!this.take(ns)) await nextTurn()
  }

  #begin(): void {
    this.#spentNs = 0
  }
}
