import type { KeyValueStore } from '../../src/contract/storage/stores.js'

/** A store whose bytes are in memory. */
export function memoryKeyValues() {
  const bytes = new Map<string, Uint8Array>()
  const keyValues: KeyValueStore = {
    get: stored => bytes.get(stored),
    keys: (from, to, isReverse = false) => {
      const keys = [...bytes.keys()].filter(stored => stored >= from && stored < to).sort()
      return isReverse ? keys.reverse() : keys
    },
    write(changes) {
      for (const [stored, content] of [...changes()]) {
        if (content) bytes.set(stored, content)
        else bytes.delete(stored)
      }
    },
  }
  return { bytes, keyValues }
}
