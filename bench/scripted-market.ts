import type { Candle } from '#dist/candles/candle.js'
import { Series } from '#dist/candles/series.js'
import type { Follower, LiveMarkets } from '#dist/live/follower.js'

/** One market in memory whose forming candle changes when `move` is called; every market that is followed is this one. */
export class ScriptedMarket implements LiveMarkets {
  readonly feeds = 1
  readonly #series = new Series('1m', 1000)
  readonly #followers = new Set<Follower>()
  #moves = 0
  #forming: Candle

  constructor() {
    const candles = Array.from({ length: 1000 }, (_, i) => this.#candle(i, i))
    this.#forming = candles.at(-1) as Candle
    this.#series.merge(candles, this.#forming.timestamp)
  }

  #candle(minute: number, step: number): Candle {
    const close = 100 + 10 * Math.sin(step * 0.7) + 3 * Math.cos(step * 1.9)
    return { timestamp: minute * 60, open: 100, high: 120, low: 80, close, volume: 1 + (step % 10) }
  }

  move(): void {
    const { timestamp } = this.#forming
    this.#forming = this.#candle(timestamp / 60, ++this.#moves)
    this.#series.amend(this.#forming)
    for (const follower of this.#followers) follower.onChange(this.#series.snapshot())
  }

  async follow(_market: unknown, _source: unknown, follower: Follower) {
    this.#followers.add(follower)
    return { snapshot: () => this.#series.snapshot(), release: () => this.#followers.delete(follower) }
  }

  async close() {}
}
