import { LRUCache } from 'lru-cache'
import { SeenKeys } from './seen-keys.js'

interface Options<Value> {
  /** The most bytes of memory that all values with their keys may take; the least recently used ones are dropped. */
  readonly maxBytes: number
  /** Bytes of memory that a value takes with its key, about. */
  readonly bytesOf: (value: Value, key: string) => number
}

/** Keys that are remembered before their values are kept. */
const maxSeen = 16_384

/**
 * What was read or compiled from texts that recur, by these texts. A value is kept from its second time on: most texts that
 * are not repeated soon never are, and to keep them costs memory and as much time as to read them.
 */
export class RepeatCache<Value extends object> {
  readonly #kept: LRUCache<string, Value>
  readonly #seen = new SeenKeys(maxSeen)

  constructor({ maxBytes, bytesOf }: Options<Value>) {
    this.#kept = new LRUCache<string, Value>({ maxSize: maxBytes, sizeCalculation: bytesOf })
  }

  get(key: string): Value | undefined {
    return this.#kept.get(key)
  }

  /** To be called with each value that was not found; keeps it where its key was seen before. */
  add(key: string, value: Value): void {
    if (this.#seen.see(key)) this.#kept.set(key, value)
  }
}
