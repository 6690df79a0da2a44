import { type Droppable, SecondChance } from './second-chance.js'
import { SeenKeys } from './seen-keys.js'

interface Options<Value> {
  /** The most bytes of memory that all values with their keys may take; the least recently used ones are dropped. */
  readonly maxBytes: number
  /** Bytes of memory that a value takes with its key, about. */
  readonly bytesOf: (value: Value, key: string) => number
}

interface Entry<Value> extends Droppable {
  readonly value: Value
  readonly key: string
  readonly group: string
}

/** Keys that are remembered before their values are kept. */
const maxSeen = 16_384

/**
 * What was read or compiled from texts that recur, by these texts. A value is kept from its second time on: most texts that
 * are not repeated soon never are, and to keep them costs memory and as much time as to read them.
 *
 * Where a key consists of two texts, of which the first one is one of few, that may be its group: to join the two takes longer than
 * to look for them one after the other.
 */
export class RepeatCache<Value extends object> {
  readonly #bytesOf: Options<Value>['bytesOf']
  readonly #groups = new Map<string, Map<string, Entry<Value>>>()
  readonly #entries: SecondChance<Entry<Value>>
  readonly #seen = new SeenKeys(maxSeen)

  constructor({ maxBytes, bytesOf }: Options<Value>) {
    this.#bytesOf = bytesOf
    this.#entries = new SecondChance({ maxBytes, onDrop: entry => this.#drop(entry) })
  }

  get(key: string, group = ''): Value | undefined {
    const entry = this.#groups.get(group)?.get(key)
    if (entry === undefined) return undefined
    entry.isUsed = true
    return entry.value
  }

  /** To be called with each value that was not found; keeps it where its key was seen before. */
  add(key: string, value: Value, group = ''): void {
    if (!this.#seen.see(key, group)) return
    let known = this.#groups.get(group)
    if (known === undefined) {
      known = new Map()
      this.#groups.set(group, known)
    }
    const former = known.get(key)
    if (former) this.#entries.delete(former)
    const entry = { value, key, group, isUsed: false }
    known.set(key, entry)
    this.#entries.set(entry, this.#bytesOf(value, key))
  }

  #drop({ key, group }: Entry<Value>): void {
    const known = this.#groups.get(group)
    known?.delete(key)
    if (known?.size === 0) this.#groups.delete(group)
  }
}
