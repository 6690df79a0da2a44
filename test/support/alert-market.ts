import { Columns, type Inputs, type Snapshot } from '../../src/candles/columns.js'
import { marketKey } from '../../src/contract/market.js'
import type { OnChange } from '../../src/markets/feeds/feed.js'
import type { Feeds } from '../../src/markets/feeds/feed-registry.js'

const length = 60

/** Markets of minute candles whose closing prices a test writes. */
export class ScriptedFeeds implements Pick<Feeds, 'follow'> {
  readonly #followers = new Map<string, Set<OnChange>>()
  #columns = new Columns(10_000)
  #closed = 0
  #forming: number | undefined
  /** Seconds since the end of the newest candle, for old candles. */
  age: number | undefined
  /** The open time of the first candle. */
  readonly #begin: number

  constructor(begin: number) {
    this.#begin = begin
  }

  /** Followed markets. */
  get followed(): readonly string[] {
    return [...this.#followers].flatMap(([key, { size }]) => (size > 0 ? [key] : []))
  }

  get snapshot(): Snapshot {
    const forming = this.#forming === undefined ? undefined : this.#candle(this.#closed, this.#forming)
    return {
      columns: this.#columns,
      closed: this.#closed,
      forming,
      count: this.#closed + (forming ? 1 : 0),
    }
  }

  timeOf(at: number): number {
    return this.#begin + at * length
  }

  /** Closes candles at these prices. */
  close(...prices: readonly number[]): void {
    for (const price of prices) this.#columns.write(this.#closed, this.#candle(this.#closed++, price))
    this.#forming = undefined
    this.#emit()
  }

  /** Changes the forming candle. */
  form(price: number): void {
    this.#forming = price
    this.#emit()
  }

  /**
   * Removes candles after the first `closed` ones, which turn out not to exist; the next one is forming if it has a price.
   */
  drop(closed: number, forming?: number): void {
    const columns = Columns.replacing(this.#columns, 10_000)
    for (let at = 0; at < closed; at++) columns.write(at, this.#columns.read(at))
    this.#columns = columns
    this.#closed = closed
    this.#forming = forming
    this.#emit()
  }

  async follow(...[market, , onChange]: Parameters<Feeds['follow']>) {
    const key = marketKey(market)
    const followers = this.#followers.get(key) ?? new Set()
    this.#followers.set(key, followers.add(onChange))
    return {
      inputs: (): Inputs => [this.snapshot],
      age: () => this.age,
      release: () => void followers.delete(onChange),
    }
  }

  #candle(at: number, price: number) {
    return { timestamp: this.timeOf(at), open: price, high: price, low: price, close: price, volume: 1 }
  }

  #emit(): void {
    for (const followers of this.#followers.values())
      for (const onChange of followers) onChange([this.snapshot])
  }
}
