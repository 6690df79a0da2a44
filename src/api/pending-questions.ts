/** For how long, in milliseconds, the repetition of a pending question is expected. */
const repetitionMs = 60_000

/**
 * The questions that were answered with 202. A question costs a request when it is asked first. Its repetitions cost
 * nothing up to the one that is not answered with 202, one at a time: a second one beside it counts as a new question.
 */
export class PendingQuestions {
  readonly #clock: () => number
  /** Until when the repetition of a question is free; the oldest come first. */
  readonly #ends = new Map<string, number>()
  #lastEnd = 0

  /** `clock` counts milliseconds from any time and never goes back. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Questions in memory: those that may be repeated, and older ones until the next question is pending. */
  get size(): number {
    return this.#ends.size
  }

  /** Whether no question may be repeated. */
  isEmpty(): boolean {
    if (this.#ends.size === 0) return true
    if (this.#lastEnd > this.#clock()) return false
    this.#ends.clear()
    return true
  }

  /** Whether this is a repetition, which is free. It is not free again before `add`. */
  take(question: string): boolean {
    const ends = this.#ends.get(question)
    this.#ends.delete(question)
    return ends !== undefined && ends > this.#clock()
  }

  /** To be called when a question was answered with 202. */
  add(question: string): void {
    const now = this.#clock()
    for (const [other, ends] of this.#ends) {
      if (ends > now) break
      this.#ends.delete(other)
    }
    this.#ends.delete(question)
    this.#lastEnd = now + repetitionMs
    this.#ends.set(question, this.#lastEnd)
  }
}
