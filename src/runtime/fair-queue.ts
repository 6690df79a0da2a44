/** Which items may be taken now: `key` decides for all items of a key and is given the first of them, `item` decides for each item. */
export interface Permission<Item> {
  key(key: string, first: Item): boolean
  item?(item: Item): boolean
}

/**
 * What waits, by the key of its client. Keys take turns, and of each key what came first goes first: a client with much
 * work delays another one by no more than one turn.
 */
export class FairQueue<Item> {
  /** In the order of their turns; keys of which nothing waits are not in it. */
  readonly #lines = new Map<string, Set<Item>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** How much of a key waits. */
  sizeOf(key: string): number {
    return this.#lines.get(key)?.size ?? 0
  }

  push(key: string, item: Item): void {
    const line = this.#lines.get(key)
    if (line) line.add(item)
    else this.#lines.set(key, new Set([item]))
    this.#size++
  }

  /** Takes the first item of the key whose turn it is; one that may not be taken now keeps its place. */
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

  /** Takes the newest item of the key of which most waits, where that is more than `count`. */
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
