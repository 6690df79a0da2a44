import { LRUCache } from 'lru-cache'

/** What may be dropped to make room for others. */
export interface Droppable {
  /** To be set where it is used: whether it was, since it was last looked at. */
  isUsed: boolean
}

interface Options<Item> {
  /** The most bytes of memory that all items may take together. */
  readonly maxBytes: number
  /** Bytes that something else takes of the same memory. */
  readonly otherBytes?: () => number
  /** Called with each item that was dropped to make room. */
  readonly onDrop: (item: Item) => void
}

/**
 * Items in a bounded memory, where the ones that were used least recently make room for others, by the second-chance algorithm: one
 * that was used since it was last looked at stays. So a use sets one field of the item. A list in the order of use, as
 * `LRUCache` has it, is changed at three places by each use, which are seldom in a cache of the processor where there are thousands.
 */
export class SecondChance<Item extends Droppable> {
  readonly #options: Options<Item>
  /** The bytes of each item, the next one to be looked at first. */
  readonly #sizes: LRUCache<Item, number>

  constructor(options: Options<Item>) {
    this.#options = options
    // Out of reach, since items are dropped before.
    const maxSize = Number.MAX_SAFE_INTEGER
    this.#sizes = new LRUCache({ maxSize, sizeCalculation: bytes => bytes })
  }

  /** The number of items. */
  get size(): number {
    return this.#sizes.size
  }

  /** Bytes of memory that they take. */
  get bytes(): number {
    return this.#sizes.calculatedSize
  }

  /** Adds an item, or measures it again. It is the last one to be looked at then; one that takes more than all may is dropped. */
  set(item: Item, bytes: number): void {
    const { maxBytes, onDrop } = this.#options
    // The size of a value that is set again is taken to be what it was.
    this.#sizes.delete(item)
    if (bytes > maxBytes) {
      onDrop(item)
      return
    }
    this.#sizes.set(item, bytes)
    this.#makeRoom()
  }

  /** Removes an item; whether it was there. */
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
