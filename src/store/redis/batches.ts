/**
 * Collects what is asked for while an earlier command is under way, and passes it on together. So the number of commands
 * follows from how fast Redis answers, not from how much is asked for. What is passed on keeps its order.
 */
export class Batches<Item> {
  readonly #run: (items: readonly Item[]) => Promise<void>
  #waiting: Item[] = []
  #isRunning = false

  /** `run` must not reject. */
  constructor(run: (items: readonly Item[]) => Promise<void>) {
    this.#run = run
  }

  /** Whether nothing waits for the command that is under way to end. */
  get isDrained(): boolean {
    return this.#waiting.length === 0
  }

  add(item: Item): void {
    this.#waiting.push(item)
    if (this.#isRunning) return
    this.#isRunning = true
    // What other connections ask for in the same turn of the event loop goes along.
    setImmediate(this.#next)
  }

  readonly #next = (): void => {
    const items = this.#waiting
    this.#waiting = []
    void this.#run(items).then(() => {
      if (this.#waiting.length > 0) this.#next()
      else this.#isRunning = false
    })
  }
}
