import type { Update } from '../service/streaming.js'
import { liveKey, type Market, secondsOf } from '../view/view.js'
import type { Loader } from './loader.js'
import { candlesPath, type Window } from './requests.js'
import { type Candle, isGap, mergeRows, putRow } from './rows.js'

interface Options {
  readonly loader: Loader
  readonly market: Market
  /** Number of the newest candles that are loaded at first. */
  readonly count: number
  /** Called after a change; `isLive` if only the newest candle changed, or one was appended. */
  readonly onChange: (isLive: boolean) => void
}

/** Candles of a market in addition to that of the chart, complete and live. */
export class OtherMarket {
  readonly #options: Options
  readonly #ending = new AbortController()
  /** Start of the candles that were requested already. */
  #askedBefore = Number.POSITIVE_INFINITY
  #isLoading = false
  #isBehind = false
  candles: Candle[] = []
  /** The reason why candles are missing or not live. */
  error: string | undefined

  constructor(options: Options) {
    this.#options = options
    void this.#load({ results: options.count })
  }

  get market(): Market {
    return this.#options.market
  }

  /** Loads candles back to a time, unless they are loaded or the service has none. */
  async reach(from: number): Promise<void> {
    const first = this.candles[0]?.timestamp
    if (first === undefined || from >= first || from >= this.#askedBefore || this.#isLoading) return
    this.#askedBefore = from
    await this.#load({ from, to: first - secondsOf(this.market.timeframe) })
  }

  receive(update: Update): void {
    const last = this.candles.at(-1)
    if (!last || update.subscription !== liveKey(this.market)) return
    const candle = update.data as unknown as Candle
    const seconds = secondsOf(this.market.timeframe)
    const isMissing =
      isGap(last.timestamp, candle.timestamp, seconds) ||
      (this.#isBehind && candle.timestamp !== last.timestamp)
    this.#isBehind = false
    if (isMissing) void this.#load({ results: this.candles.length })
    this.#options.onChange(putRow(this.candles, candle) !== 'inserted')
  }

  /** Must be called after a lost connection: with the next candle, missed candles are fetched. */
  reconnected(): void {
    this.#isBehind = true
  }

  refuse(error: string): void {
    this.error ??= error
    this.#options.onChange(false)
  }

  end(): void {
    this.#ending.abort()
  }

  async #load(window: Window): Promise<void> {
    const { loader, market, onChange } = this.#options
    const { signal } = this.#ending
    const path = candlesPath(market, window)
    this.#isLoading = true
    const isOlder = 'from' in window
    const loaded = await loader.load(
      market,
      options => loader.client.get(path, options),
      signal,
      (_, error) => {
        // A lack of older candles is not an error.
        if (!isOlder) this.error = error
      },
    )
    this.#isLoading = false
    if (signal.aborted) return
    this.candles = [...mergeRows(this.candles, (loaded?.body ?? []) as readonly Candle[])]
    onChange(false)
  }
}
