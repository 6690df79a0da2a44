import type { Update } from './types.js'
import { Unread } from './unread.js'

/**
 * Updates that were received and not read yet, by subscription and candle. A forming state that was not read yet is replaced
 * by a newer one of the same candle, so that a slow reader has at most one of them per subscription and candle.
 */
export class UpdateQueue extends Unread<Update> {
  push(update: Update): void {
    const key = `${update.data.timestamp} ${update.id}`
    const known = this.items.get(key)
    if (known?.closed) return
    if (update.closed) this.items.delete(key)
    // The mark of a gap stays when the update that has it is replaced.
    this.put(key, known?.gap ? { ...update, gap: true } : update)
  }
}
