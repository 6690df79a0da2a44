/** What a turn of the event loop has time for before what takes long waits for a later turn, in milliseconds. */
const maxTurnMs = 4

/**
 * Bounds the time for which requests hold the event loop, however many of them arrive together: what takes long is done in
 * the order in which it was asked for, in as many turns as it needs. Unlike `TurnBudget` it measures time, so that no
 * cost has to be known.
 */
export class TurnClock {
  readonly #waiting: (() => void)[] = []
  /** When the first thing that takes long began in this turn, in milliseconds; undefined where none has. */
  #began: number | undefined

  /** Whether what takes long and is asked for now has to wait. Where not, it is to be done at once. */
  isOver(): boolean {
    if (this.#waiting.length > 0) return true
    if (this.#began !== undefined) return isTimeOver(this.#began)
    this.#begin()
    return false
  }

  /** Resolves in a turn that has time, after all that waited before. */
  next(): Promise<void> {
    if (this.#began === undefined) this.#begin()
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  /** Does something at once where this turn has time for it, otherwise in a later one. */
  run<Result>(work: () => Result | Promise<Result>): Result | Promise<Result> {
    return this.isOver() ? this.next().then(work) : work()
  }

  #begin(): number {
    setImmediate(() => {
      this.#began = undefined
      if (this.#waiting.length > 0) this.#release()
    })
    this.#began = performance.now()
    return this.#began
  }

  async #release(): Promise<void> {
    const began = this.#begin()
    do {
      this.#waiting.shift()?.()
      // What was released is done before this goes on.
      await undefined
    } while (this.#waiting.length > 0 && !isTimeOver(began))
  }
}

const isTimeOver = (began: number): boolean => performance.now() - began > maxTurnMs

/** There is one event loop: all requests share its turns. */
export const turnClock = new TurnClock()
