/**
 * Filter of the items that may be taken at present. `key` decides for all items of a key, given the first of them.
 * `item` decides for each item.
 */
export interface Permission<Item> {
  key(key: string, first: Item): boolean
  item?(item: Item): boolean
}

/**
 * Waiting items by the key of their client. Keys take turns, and each key is served in order: a client with much work delays
 * another one by at most one turn.
 */
export class FairQueue<Item> {
  /** Waiting items by key, in the order of their turns; keys without items are absent. */
  readonly #lines = new Map<string, Set<Item>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(key: string): number {
    return this.#lines.get(key)?.size ?? 0
  }

  /** Adds an item, unless it waits already. */
  push(key: string, item: Item): void {
    const line = this.#lines.get(key) ?? new Set()
    if (line.has(item)) return
    this.#lines.set(key, line.add(item))
    this.#size++
  }

  /** Takes the first item of the key whose turn it is; an item that may not be taken at present keeps its place. */
  shift(permission?: Permission<Item>): Item | undefined {
    for (const [key, line] of this.#lines) {
      const [first] = line as Iterable<Item> as [Item]
      if (permission?.key(key, first) === false) continue
      for (const item of line) {
        if (permission?.item?.(item) === false) continue
        this.#lines.delete(key)
        this.#lines.set(key, line)
        this.remove(key, item)
        return item
      }
    }
    return undefined
  }

  /** Takes the newest item of the key with the most items, if there are more than `count`. */
  popFromLongest(count: number): Item | undefined {
    let longest = count
    let found: readonly [string, Set<Item>] | undefined
    for (const entry of this.#lines) {
      if (entry[1].size <= longest) continue
      longest = entry[1].size
      found = entry
    }
    if (!found) return undefined
    const [key, line] = found
    const newest = [...line].at(-1) as Item
    this.remove(key, newest)
    return newest
  }

  remove(key: string, item: Item): void {
    const line = this.#lines.get(key)
    if (!line?.delete(item)) return
    this.#size--
    if (line.size === 0) this.#lines.delete(key)
  }
}
