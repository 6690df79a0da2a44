import { LRUCache } from 'lru-cache'

/** Something that may be evicted. */
export interface Droppable {
  /** Must be set on use; cleared when the item is inspected. */
  isUsed: boolean
}

interface Options<Item> {
  /** Largest number of bytes of all items together. */
  readonly maxBytes: number
  /** Bytes of the same memory used by something else. */
  readonly otherBytes?: () => number
  /** Called with each evicted item. */
  readonly onDrop: (item: Item) => void
}

/**
 * Items in a bounded memory with the second-chance algorithm, which evicts items that were not used recently: an item that
 * was used since its last inspection stays. So a use sets one field of the item. A list in the order of use, like
 * `LRUCache`, is changed at three places by each use, which are rarely in the processor's cache if there are thousands of
 * items.
 */
export class SecondChance<Item extends Droppable> {
  readonly #options: Options<Item>
  /** The bytes of each item, the next one to inspect first. */
  readonly #sizes: LRUCache<Item, number>

  constructor(options: Options<Item>) {
    this.#options = options
    // Never reached, because items are evicted first.
    const maxSize = Number.MAX_SAFE_INTEGER
    this.#sizes = new LRUCache({ maxSize, sizeCalculation: bytes => bytes })
  }

  /** The number of items. */
  get size(): number {
    return this.#sizes.size
  }

  /** Bytes of all items. */
  get bytes(): number {
    return this.#sizes.calculatedSize
  }

  /** Adds an item, or measures it again, and makes it the last one to inspect. An item larger than the limit is dropped. */
  set(item: Item, bytes: number): void {
    const { maxBytes, onDrop } = this.#options
    // LRUCache would keep the previous size of a value that is set again.
    this.#sizes.delete(item)
    if (bytes > maxBytes) {
      onDrop(item)
      return
    }
    this.#sizes.set(item, bytes)
    this.#makeRoom()
  }

  /** Removes an item; returns whether it existed. */
  delete(item: Item): boolean {
    return this.#sizes.delete(item)
  }

  #makeRoom(): void {
    const { maxBytes, otherBytes = () => 0, onDrop } = this.#options
    while (this.bytes + otherBytes() > maxBytes) {
      const [item] = this.#sizes.rkeys()
      if (item === undefined) return
      if (item.isUsed) {
        item.isUsed = false
        this.#sizes.get(item)
      } else {
        this.#sizes.delete(item)
        onDrop(item)
      }
    }
  }
}
