import type { Update } from './types.js'

/** Received but unread items, by key. */
export class Unread<Item> {
  /** Items in reading order. */
  protected readonly items = new Map<string, Item>()
  #wake = () => {}

  get size(): number {
    return this.items.size
  }

  /** Appends an item. Removes the item with the same key. */
  put(key: string, item: Item): void {
    this.items.delete(key)
    this.items.set(key, item)
    this.wake()
  }

  /** Removes and yields all items, oldest first. */
  *takeAll(): Generator<Item> {
    for (const [key, item] of this.items) {
      this.items.delete(key)
      yield item
    }
  }

  /** Wakes the reader. Call it when there is something to read. */
  protected wake(): void {
    this.#wake()
  }

  /** Yields the items as they arrive, until `ended` resolves and all received items are read. */
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
 * Received but unread updates, by subscription and candle. A newer forming state replaces an unread one of the same
 * candle. A slow reader has at most one forming state per subscription and candle.
 */
export class UpdateQueue extends Unread<Update> {
  #closed = 0

  push(update: Update): void {
    const forming = `${update.data.timestamp} ${update.id}`
    const known = this.items.get(forming)
    if (update.closed) this.items.delete(forming)
    // Several bars of a chart may have the same time.
    const key = update.closed ? `${this.#closed++}` : forming
    // Keeps the gap mark of a replaced update.
    this.put(key, known?.gap ? { ...update, gap: true } : update)
  }
}
