/**
 * Work that comes in bursts, done in its order: at once, as long as less than `perTurn` pieces of it were done in the
 * present turn of the event loop; the others wait for the next turns.
 */
export class PacedWork {
  readonly #perTurn: number
  #waiting: (() => void)[] = []
  /** Pieces that were done in the present turn. */
  #done = 0
  #isScheduled = false

  constructor(perTurn: number) {
    this.#perTurn = perTurn
  }

  run(work: () => void): void {
    if (!this.#isScheduled) {
      this.#isScheduled = true
      setImmediate(() => this.#nextTurn())
    }
    if (this.#done >= this.#perTurn) this.#waiting.push(work)
    else {
      this.#done++
      work()
    }
  }

  #nextTurn(): void {
    const due = this.#waiting.splice(0, this.#perTurn)
    this.#done = due.length
    this.#isScheduled = due.length > 0
    if (this.#isScheduled) setImmediate(() => this.#nextTurn())
    for (const work of due) work()
  }
}
