import type { Candle } from '../../candles/candle.js'
import { type CandleBlock, Columns } from '../../candles/columns.js'
import { candlesBetween, openOf, type Timeframe, timeframes } from '../../candles/timeframe.js'
import type { KeyValueStore } from '../../contract/storage/stores.js'
import { readBlocks } from '../archive/stored-candles.js'
import { createDemoSource } from '../exchanges/demo/demo-source.js'

/** Location where a thread finds the candles of a series that are older than those in memory. */
export type OlderLocation =
  | { readonly kind: 'stored'; readonly directory: string; readonly key: string }
  /** Copied entries of a store on another machine. */
  | { readonly kind: 'copied'; readonly entries: ReadonlyMap<string, Uint8Array>; readonly key: string }
  /** No stored candles: the exchange `demo` computes them. */
  | ComputedLocation

interface ComputedLocation {
  readonly kind: 'computed'
  readonly symbol: string
  readonly timeframe: Timeframe
  /** Open time of the first candle, in Unix seconds. */
  readonly first: number
}

/** Number of candles computed at a time. */
const computedBlock = 2016

/** A database of candles, open for reading. `refresh` ends the view of a reader, so that the next one sees later writes. */
interface StoredCandles {
  readonly keyValues: KeyValueStore
  refresh(): void
}

/** Reads the candles that a thread needs from outside of its memory. */
export class OlderReader {
  readonly #stores = new Map<string, StoredCandles>()
  /** Clock of the computed exchange: all requested candles have ended by then. */
  #now = 0
  readonly #demo = createDemoSource(() => this.#now)

  constructor(private readonly openCandles: (directory: string) => StoredCandles) {}

  #storeOf(directory: string): StoredCandles {
    let store = this.#stores.get(directory)
    if (!store) {
      store = this.openCandles(directory)
      this.#stores.set(directory, store)
    }
    return store
  }

  /**
   * Candles of a location that open from `from` to `to` (Unix seconds, both included), in the order of time. With
   * `closesOnly` only times and closes are valid.
   */
  *read(location: OlderLocation, from: number, to: number, closesOnly = false): Generator<CandleBlock> {
    if (location.kind === 'computed') yield* this.#compute(location, from, to)
    else if (location.kind === 'copied')
      yield* readBlocks(keyValuesOf(location.entries), location.key, from, to, closesOnly)
    else {
      const { keyValues, refresh } = this.#storeOf(location.directory)
      // Without this, a thread whose event loop does not turn would keep its first view, and its pages could not be reused.
      refresh()
      try {
        yield* readBlocks(keyValues, location.key, from, to, closesOnly)
      } finally {
        refresh()
      }
    }
  }

  *#compute(
    { symbol, timeframe, first }: ComputedLocation,
    from: number,
    to: number,
  ): Generator<CandleBlock> {
    for (let open = Math.max(first, from); open <= to; ) {
      const end = openOf(timeframe, open + computedBlock * timeframes[timeframe])
      const until = Math.min(end, to + 1)
      this.#now = end
      const count = Math.ceil(candlesBetween(timeframe, open, until)) + 1
      const candles = this.#demo.candles(symbol, timeframe, count, { until }) as readonly Candle[]
      const columns = new Columns(candles.length)
      for (const [at, candle] of candles.entries()) columns.write(at, candle)
      const begin = candles.findIndex(({ timestamp }) => timestamp >= open)
      if (begin >= 0) yield { columns, from: begin, to: candles.length }
      open = end
    }
  }
}

function keyValuesOf(entries: ReadonlyMap<string, Uint8Array>): KeyValueStore {
  const sorted = [...entries.keys()].sort()
  return {
    get: key => entries.get(key),
    keys: (from, to, isReverse = false) => {
      const found = sorted.filter(key => key >= from && key < to)
      return isReverse ? found.reverse() : found
    },
    write: () => {
      throw new Error('a copy of stored candles is only read')
    },
  }
}
