import { LRUCache } from 'lru-cache'
import type { Checkpoint } from '../kernels/block-calculator.js'

/** Candles, and bars of a chart, between two checkpoints of tasks of a length. */
export const checkpointDistance = (pieceLength: number): number => Math.min(16_384, pieceLength)

/** Bytes of memory that a checkpoint takes without its state, and a calculation without its checkpoints, about. */
const objectBytes = 200

/** Memory where nothing else is set. */
const defaultBytes = 8 * 1024 * 1024

/** The checkpoints of one calculation take at most this part of the memory for all. */
const mostShare = 1 / 8

const bytesOf = (checkpoints: readonly Checkpoint[]): number =>
  checkpoints.reduce(
    (sum, { state, chart }) => sum + objectBytes + state.byteLength + (chart?.bars.byteLength ?? 0),
    objectBytes,
  )

/**
 * What calculations over long histories have come to, at distances and behind the candle before those in memory, so
 * that a later question for any time begins there. The least recently used calculations are dropped beyond `maxBytes`.
 */
export class Checkpoints {
  /** By calculation, in the order of time. */
  readonly #known: LRUCache<string, readonly Checkpoint[]>

  /** Checkpoints that stay have at least so many candles, and bars of a chart, between them. */
  readonly #distance: number
  readonly #maxBytes: number

  constructor(distance: number, maxBytes = defaultBytes) {
    this.#distance = distance
    this.#maxBytes = maxBytes
    this.#known = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (checkpoints, key) => bytesOf(checkpoints) + key.length,
    })
  }

  /** Bytes of memory that they take, about. */
  get bytes(): number {
    return this.#known.calculatedSize
  }

  /** The checkpoints of a calculation, in the order of time. */
  of(key: string): readonly Checkpoint[] {
    return this.#known.get(key) ?? []
  }

  /** The last checkpoint of a calculation that has only candles which open before `time` (Unix seconds). */
  before(key: string, time: number): Checkpoint | undefined {
    return this.of(key).findLast(({ last }) => last < time)
  }

  /** Keeps the checkpoints that are behind those it has. */
  keep(key: string, checkpoints: readonly Checkpoint[]): void {
    let known = this.of(key)
    const end = known.at(-1)?.passed ?? Number.NEGATIVE_INFINITY
    for (const checkpoint of checkpoints)
      if (checkpoint.passed > end) known = [...this.#staying(known), checkpoint]
    // With half as many, a later question has twice as far to go.
    while (known.length > 1 && bytesOf(known) > this.#maxBytes * mostShare)
      known = known.filter((_, k) => (known.length - k) % 2 === 1)
    if (known.length > 0) this.#known.set(key, known)
  }

  /** Those that stay when another one comes: a last one that is nearer to the one before it than the distance does not. */
  #staying(known: readonly Checkpoint[]): readonly Checkpoint[] {
    const [before = 0, last] = [known.at(-2)?.passed, known.at(-1)]
    return last && last.passed - before < this.#distance ? known.slice(0, -1) : known
  }
}
