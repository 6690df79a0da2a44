import type { Update } from './types.js'

/**
 * Updates that were received and not read yet. A forming state that was not read yet is replaced by a newer one of the
 * same candle, so that a slow reader has at most one of them per subscription and candle.
 */
export class UpdateQueue {
  /** By subscription and candle, in the order in which they are read. */
  readonly #updates = new Map<string, Update>()
  #wake = () => {}

  get size(): number {
    return this.#updates.size
  }

  push(update: Update): void {
    const key = `${update.data.timestamp} ${update.id}`
    const known = this.#updates.get(key)
    if (known?.closed) return
    if (update.closed) this.#updates.delete(key)
    // What is replaced takes its mark along.
    this.#updates.set(key, known?.gap ? { ...update, gap: true } : update)
    this.#wake()
  }

  /** Takes out all updates, oldest first. */
  *takeAll(): Generator<Update> {
    for (const [key, update] of this.#updates) {
      this.#updates.delete(key)
      yield update
    }
  }

  /** The updates as they arrive, until `ended` resolves and all that arrived before were read. */
  async *until(ended: Promise<unknown>): AsyncGenerator<Update> {
    let isEnded = false
    void ended.then(() => {
      isEnded = true
      this.#wake()
    })
    for (;;) {
      yield* this.takeAll()
      if (isEnded && this.#updates.size === 0) return
      await new Promise<void>(resolve => {
        this.#wake = resolve
        if (isEnded || this.#updates.size > 0) resolve()
      })
    }
  }
}
