import type { Update } from './types.js'
import { Unread } from './unread.js'

/**
 * Updates that were received and not read yet. A forming state that was not read yet is replaced by a newer one of the
 * same candle, so that a slow reader has at most one of them per subscription and candle.
 */
export class UpdateQueue extends Unread<Update> {
  /** By subscription and candle, in the order in which they are read. */
  readonly #updates = new Map<string, Update>()

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
    this.wake()
  }

  *takeAll(): Generator<Update> {
    for (const [key, update] of this.#updates) {
      this.#updates.delete(key)
      yield update
    }
  }
}
