import type { Candle } from '#dist/candles/candle.js'
import type { Inputs } from '#dist/candles/columns.js'
import { Series } from '#dist/candles/series.js'
import type { OnChange } from '#dist/markets/feeds/feed.js'
import type { Feeds } from '#dist/markets/feeds/feed-registry.js'

/** One market in memory whose forming candle changes when `move` is called; it is the market of every feed. */
export class ScriptedMarket implements Feeds {
  readonly size = 1
  readonly #series = new Series('1m', 1000)
  readonly #followers = new Set<OnChange>()
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
    for (const onChange of this.#followers) onChange([this.#series.snapshot()])
  }

  async follow(_market: unknown, _source: unknown, onChange: OnChange) {
    this.#followers.add(onChange)
    return {
      inputs: (): Inputs => [this.#series.snapshot()],
      age: () => undefined,
      release: () => this.#followers.delete(onChange),
    }
  }

  async close() {}
}
