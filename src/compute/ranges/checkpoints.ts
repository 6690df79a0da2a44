import { LRUCache } from 'lru-cache'
import type { Checkpoint } from '../kernels/block-calculator.js'

/** Bytes of memory that a checkpoint takes without its state, and a calculation without its checkpoints, about. */
const objectBytes = 200

/** Memory where nothing else is set. */
const defaultBytes = 8 * 1024 * 1024

/**
 * What calculations over long histories have come to, at distances of a piece and behind the candle before those in memory, so
 * that a later question for any time begins there. The least recently used calculations are dropped beyond `maxBytes`.
 */
export class Checkpoints {
  /** By calculation, in the order of time. */
  readonly #known: LRUCache<string, readonly Checkpoint[]>

  /** Checkpoints that stay have at least so many candles between them. */
  readonly #distance: number

  constructor(distance: number, maxBytes = defaultBytes) {
    this.#distance = distance
    this.#known = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (checkpoints, key) =>
        checkpoints.reduce(
          (sum, { state, chart }) => sum + objectBytes + state.byteLength + (chart?.bars.byteLength ?? 0),
          objectBytes + key.length,
        ),
    })
  }

  /** Bytes of memory that they take, about. */
  get bytes(): number {
    return this.#known.calculatedSize
  }

  /** The last checkpoint of a calculation that has only candles which open before `time` (Unix seconds). */
  before(key: string, time: number): Checkpoint | undefined {
    return this.#known.get(key)?.findLast(({ last }) => last < time)
  }

  /** Keeps a checkpoint. One that is nearer to the one before it than a piece is the last, and the next takes its place. */
  keep(key: string, checkpoint: Checkpoint): void {
    const known = this.#known.get(key) ?? []
    const earlier = known.filter(({ index }) => index < checkpoint.index)
    if (earlier.length < known.length) return
    const [before = 0, last] = [earlier.at(-2)?.index, earlier.at(-1)]
    const staying = last && last.index - before < this.#distance ? earlier.slice(0, -1) : earlier
    this.#known.set(key, [...staying, checkpoint])
  }
}
