import { type Candle, isSame } from '../../../candles/candle.js'
import { candlesBetween, endOf, openOf, type Timeframe, timeframes } from '../../../candles/timeframe.js'
import { nearSymbols } from '../../../contract/hints.js'
import { type DerivativeSeries, isOfTimes, noSeriesOfMarket, readSeries } from '../../../contract/market.js'
import { CandleChannel } from '../channel.js'
import { fold } from '../resample.js'
import { type FetchOptions, type Source, SourceFailure } from '../source.js'
import { DemoDerivative } from './demo-derivative.js'
import { DemoMarket, type Level, levelOf, levelWithin, marketProfiles } from './demo-market.js'
import type { Bar } from './random-walk.js'

/** Start of all histories: Monday, 2015-01-05 00:00 UTC. Candles of all timeframes but months open at this time. */
const start = Date.UTC(2015, 0, 5) / 1000
/**
 * Earliest start of a query for a time in timeframes below an hour: Monday, 2023-01-02 00:00 UTC. The query
 * computes all candles from this start, about a microsecond each. A person who tries it should not wait for eleven
 * years of minutes.
 */
const startOfMinutes = Date.UTC(2023, 0, 2) / 1000

/** Maximum milliseconds between two readings of the clock, which may run at another speed than the timers. */
const maxTimerMs = 250

/** Maximum candles emitted together. After a longer pause or a jump of the clock, a watch restarts. */
const maxEmitted = 1000

interface DemoSeries extends DerivativeSeries {
  readonly derivative: DemoDerivative
}

interface Watch {
  readonly symbol: string
  readonly timeframe: Timeframe
  readonly channel: CandleChannel
  /** Newest emitted candle. */
  last: Candle | undefined
}

const isUnchanged = (one: Candle, other: Candle) => one.timestamp === other.timestamp && isSame(one, other)

const day = timeframes['1d']

/**
 * The exchange `demo`: invented markets that need no network and trade at all times. Its candles depend only on the
 * time, so all instances agree. Candles of all timeframes are split from the same weeks. Sixty minutes are exactly
 * their hour, and a forming candle consists of its trades so far.
 *
 * @param clock Unix seconds, with fractions
 */
export function createDemoSource(clock: () => number = () => Date.now() / 1000): DemoSource {
  return new DemoSource(clock)
}

class DemoSource implements Source {
  readonly isComputed = true
  readonly beginning = (timeframe: Timeframe) =>
    timeframes[timeframe] < timeframes['1h'] ? startOfMinutes : start
  readonly #markets = new Map(
    Object.entries(marketProfiles).map(([symbol, profile]) => [symbol, new DemoMarket(symbol, profile)]),
  )
  readonly #symbols: readonly string[] = [...this.#markets.keys()].sort()
  readonly #derivatives = new Map<string, DemoDerivative>()
  readonly #watches = new Set<Watch>()
  #timer: NodeJS.Timeout | undefined
  /** Clock second of the last update of the watches. */
  #second = Number.NEGATIVE_INFINITY

  constructor(private readonly clock: () => number) {}

  symbols(): readonly string[] {
    return this.#symbols
  }

  /** Symbols by the quote volume of the last whole day, the largest first. */
  ranking(): readonly string[] {
    const traded = new Map(
      this.#symbols.map(symbol => {
        const [{ close, volume }] = this.candles(symbol, '1d', 2) as [Candle]
        return [symbol, close * volume]
      }),
    )
    return [...this.#symbols].sort((a, b) => (traded.get(b) as number) - (traded.get(a) as number))
  }

  candles(
    symbol: string,
    timeframe: Timeframe,
    count: number,
    { until }: FetchOptions = {},
  ): readonly Candle[] {
    const series = this.#seriesOf(symbol)
    if (series) return this.#derivativeCandles(series, timeframe, count, until)
    const market = this.#find(symbol)
    const now = this.clock()
    const formingOpen = openOf(timeframe, now)
    const lastOpen = until === undefined ? formingOpen : Math.min(formingOpen, openOf(timeframe, until - 1))
    const level = levelWithin(timeframe)
    if (level === timeframe) return candlesOf(market, level, lastOpen, count, now)
    const lastPart = openOf(level, Math.min(now, endOf(timeframe, lastOpen) - 1))
    const parts = candlesOf(market, level, lastPart, count * (timeframes[timeframe] / timeframes[level]), now)
    // The first month of the history is left out, because it lacks its first days.
    const whole = fold(parts, time => openOf(timeframe, time)).filter(({ timestamp }) => timestamp >= start)
    return whole.slice(-count)
  }

  watch(symbol: string, timeframe: Timeframe, signal: AbortSignal): AsyncIterable<readonly Candle[]> {
    if (!this.#seriesOf(symbol)) this.#find(symbol)
    const channel = new CandleChannel()
    const watch: Watch = { symbol, timeframe, channel, last: undefined }
    this.#watches.add(watch)
    this.#stopTimer()
    this.#startTimer(0)
    channel.endWith(signal, () => {
      this.#watches.delete(watch)
      if (this.#watches.size === 0) this.#stopTimer()
    })
    return channel
  }

  async close(): Promise<void> {
    for (const { channel } of this.#watches) channel.end()
  }

  /** The derivative series that a symbol names, or undefined if the symbol names a market. */
  #seriesOf(symbol: string): DemoSeries | undefined {
    const series = this.#markets.has(symbol) ? undefined : readSeries(symbol)
    if (!series) return undefined
    const { profile } = this.#find(series.symbol)
    if (!series.symbol.endsWith('USDT'))
      throw new SourceFailure('no-series', noSeriesOfMarket(series.kind, series.symbol, 'demo').error)
    const derivative = this.#derivatives.get(series.symbol) ?? new DemoDerivative(series.symbol, profile)
    this.#derivatives.set(series.symbol, derivative)
    return { ...series, derivative }
  }

  #derivativeCandles(
    { symbol, kind, derivative }: DemoSeries,
    timeframe: Timeframe,
    count: number,
    until: number | undefined,
  ): readonly Candle[] {
    const end =
      until === undefined ? Number.POSITIVE_INFINITY : endOf(timeframe, openOf(timeframe, until - 1))
    if (isOfTimes(kind)) {
      const last = Math.min(this.clock(), end - 1)
      return derivative.candles(kind, timeframe, count, start, last)
    }
    const length = timeframes[timeframe]
    if (length <= day)
      return this.candles(symbol, timeframe, count, { ...(until !== undefined && { until }) }).map(candle =>
        derivative.priced(kind, candle),
      )
    // The premium differs from day to day.
    const days = this.candles(symbol, '1d', (count + 1) * (length / day), {
      ...(until !== undefined && { until: end }),
    })
    const whole = fold(
      days.map(candle => derivative.priced(kind, candle)),
      time => openOf(timeframe, time),
    )
    return whole.filter(({ timestamp }) => timestamp >= start).slice(-count)
  }

  #find(symbol: string): DemoMarket {
    const market = this.#markets.get(symbol)
    if (market) return market
    throw new SourceFailure('unknown-symbol', `"${symbol}" is not a symbol of the exchange demo`, {
      near: nearSymbols(symbol, this.#symbols),
    })
  }

  /** Updates every watch once per second, because a market has at most one trade per second. */
  #update(): void {
    const now = this.clock()
    const previous = this.#second
    this.#second = Math.floor(now)
    for (const watch of this.#watches)
      if (previous !== this.#second || watch.last === undefined) this.#emit(watch, now)
    this.#timer = undefined
    if (this.#watches.size > 0) this.#startTimer(Math.min(maxTimerMs, (Math.floor(now) + 1 - now) * 1000))
  }

  /** Emits the candles that have changed since the last emitted one. */
  #emit(watch: Watch, now: number): void {
    const { symbol, timeframe, last, channel } = watch
    const since =
      last === undefined ? 1 : candlesBetween(timeframe, last.timestamp, openOf(timeframe, now)) + 1
    const count = since >= 1 && since <= maxEmitted ? since : 1
    const candles = this.candles(symbol, timeframe, count)
    const newest = candles.at(-1)
    if (newest === undefined || (candles.length === 1 && last && isUnchanged(newest, last))) return
    watch.last = newest
    channel.push(candles)
  }

  #startTimer(ms: number): void {
    this.#timer ??= setTimeout(() => this.#update(), ms)
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

/** At most `count` candles of a level. The newest one opens at `lastOpen` and may be forming at `now`. */
function candlesOf(
  market: DemoMarket,
  timeframe: Level,
  lastOpen: number,
  count: number,
  now: number,
): readonly Candle[] {
  const length = timeframes[timeframe]
  const last = (lastOpen - start) / length
  const first = Math.max(0, last - count + 1)
  if (last < first) return []
  const level = levelOf(timeframe)
  const bars = market.bars(level, first, last)
  const elapsed = now - lastOpen
  if (elapsed < length) bars.push(market.forming(bars.pop() as Bar, level, last, elapsed))
  const { lot, ticks } = market.profile
  return bars.map((bar, at) => ({
    timestamp: start + (first + at) * length,
    open: bar.open / ticks,
    high: bar.high / ticks,
    low: bar.low / ticks,
    close: bar.close / ticks,
    volume: bar.volume * lot,
  }))
}
