import type { Chunks } from './store.js'

/** Chunks in the memory of this process. */
export function createMemoryChunks(): Chunks {
  const stored = new Map<string, Uint8Array>()
  return {
    get: key => stored.get(key),
    keys(from, to, isReverse = false) {
      const found = [...stored.keys()].filter(key => key >= from && key < to).sort()
      return isReverse ? found.reverse() : found
    },
    write(changes) {
      for (const [key, bytes] of [...changes()]) {
        if (bytes === undefined) stored.delete(key)
        else stored.set(key, bytes.slice())
      }
    },
  }
}
