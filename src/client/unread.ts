import type { Update } from './types.js'

/** What was received and not read yet, by keys. */
export class Unread<Item> {
  /** In the order in which they are read. */
  protected readonly items = new Map<string, Item>()
  #wake = () => {}

  get size(): number {
    return this.items.size
  }

  /** Puts an item behind all others, in the place of that with its key. */
  put(key: string, item: Item): void {
    this.items.delete(key)
    this.items.set(key, item)
    this.wake()
  }

  /** Takes out all items, oldest first. */
  *takeAll(): Generator<Item> {
    for (const [key, item] of this.items) {
      this.items.delete(key)
      yield item
    }
  }

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

/**
 * Updates that were received and not read yet, by subscription and candle. A forming state that was not read yet is replaced
 * by a newer one of the same candle, so that a slow reader has at most one of them per subscription and candle.
 */
export class UpdateQueue extends Unread<Update> {
  #closed = 0

  push(update: Update): void {
    const forming = `${update.data.timestamp} ${update.id}`
    const known = this.items.get(forming)
    if (update.closed) this.items.delete(forming)
    // Several bars of a chart may close at one time.
    const key = update.closed ? `${this.#closed++}` : forming
    // The mark of a gap stays when the update that has it is replaced.
    this.put(key, known?.gap ? { ...update, gap: true } : update)
  }
}
