/** What was received and not read yet. */
export abstract class Unread<Item> {
  #wake = () => {}

  abstract get size(): number

  /** Takes out all items, oldest first. */
  abstract takeAll(): Iterable<Item>

  /** To be called when there is something to read. */
  protected wake(): void {
    this.#wake()
  }

  /** The items as they arrive, until `ended` resolves and all that arrived before were read. */
  async *until(ended: Promise<unknown>): AsyncGenerator<Item> {
    let isEnded = false
    void ended.then(() => {
      isEnded = true
      this.#wake()
    })
    for (;;) {
      yield* this.takeAll()
      if (isEnded && this.size === 0) return
      await new Promise<void>(resolve => {
        this.#wake = resolve
        if (isEnded || this.size > 0) resolve()
      })
    }
  }
}
