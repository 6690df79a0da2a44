import type { Candle } from '../../candles/candle.js'
import { openOf, type Timeframe, timeframes } from '../../candles/timeframe.js'
import { CandleChannel } from '../channel.js'
import { type Source, SourceFailure } from '../source.js'
import { createRandom, normal, seedOf, seedOfText } from './random.js'
import { type Bar, fewestLots, join, split, trades } from './random-walk.js'

/** How an invented market behaves. Prices are in the quote currency, changes are shares of the price in a week. */
interface MarketProfile {
  /** The price it keeps coming back to; it never leaves [anchor / reach, anchor × reach]. */
  readonly anchor: number
  readonly reach: number
  /** The ticks in a price of 1, a power of ten. */
  readonly ticks: number
  /** The deviation of a week's change. */
  readonly swing: number
  /** How strongly the anchor pulls: the share of the way home that a week goes. */
  readonly pull: number
  /** The change of a week along the present leg; a leg ends where a bound is less than three times away. */
  readonly drift: number
  /** 1 is a random walk inside the week; below it moves persist, above it they turn back. */
  readonly rough: number
  /** The smallest volume, in the base currency: a power of two, so that sums of volumes are exact. */
  readonly lot: number
  /** The volume of an ordinary week, in the base currency, when the price is at the anchor. */
  readonly turnover: number
}

const coin = { reach: 12, pull: 0.03, drift: 0, rough: 1 }

/** The markets and their tempers: the names are real, every number is invented. */
const marketProfiles: Readonly<Record<string, MarketProfile>> = {
  AAVEUSDT: { ...coin, anchor: 160, ticks: 1e2, swing: 0.1, lot: 1 / 16, turnover: 450_000 },
  ADAUSDT: { ...coin, anchor: 0.6, ticks: 1e5, swing: 0.09, lot: 1, turnover: 700_000_000 },
  ATOMUSDT: { ...coin, anchor: 8, ticks: 1e4, swing: 0.09, lot: 1 / 4, turnover: 14_000_000 },
  AVAXUSDT: { ...coin, anchor: 28, ticks: 1e3, swing: 0.11, lot: 1 / 8, turnover: 12_000_000 },
  BNBUSDT: { ...coin, anchor: 420, ticks: 1e2, swing: 0.06, lot: 1 / 16, turnover: 1_200_000 },
  BTCUSDT: { ...coin, anchor: 60_000, ticks: 1e2, swing: 0.055, lot: 1 / 64, turnover: 160_000 },
  // Thin: most minutes pass without a trade.
  DCRUSDT: { ...coin, anchor: 25, ticks: 1e2, swing: 0.07, lot: 1 / 4, turnover: 6_000 },
  DOGEUSDT: { ...coin, anchor: 0.15, ticks: 1e6, swing: 0.12, lot: 1, turnover: 6e9 },
  DOTUSDT: { ...coin, anchor: 7, ticks: 1e4, swing: 0.09, lot: 1 / 4, turnover: 20_000_000 },
  // Mean-reverting: on every timeframe.
  ETHBTC: {
    ...coin,
    anchor: 0.05,
    ticks: 1e6,
    reach: 2,
    swing: 0.03,
    pull: 0.3,
    rough: 1.3,
    lot: 1 / 16,
    turnover: 180_000,
  },
  ETHUSDT: { ...coin, anchor: 2_800, ticks: 1e2, swing: 0.07, lot: 1 / 32, turnover: 2_800_000 },
  // Calm: a pair of currencies.
  EURUSDT: { ...coin, anchor: 1.1, ticks: 1e5, reach: 1.4, swing: 0.009, lot: 1, turnover: 40_000_000 },
  LINKUSDT: { ...coin, anchor: 15, ticks: 1e4, swing: 0.09, lot: 1 / 8, turnover: 16_000_000 },
  LTCUSDT: { ...coin, anchor: 85, ticks: 1e3, swing: 0.08, lot: 1 / 8, turnover: 2_600_000 },
  // Strongly trending: long legs up and down.
  NEARUSDT: {
    ...coin,
    anchor: 4,
    ticks: 1e4,
    swing: 0.025,
    pull: 0,
    drift: 0.04,
    rough: 0.7,
    lot: 1 / 4,
    turnover: 30_000_000,
  },
  PAXGUSDT: { ...coin, anchor: 2_400, ticks: 1e2, reach: 3, swing: 0.015, lot: 1 / 128, turnover: 18_000 },
  // Very volatile, and tiny in price.
  PEPEUSDT: { ...coin, anchor: 0.000_009, ticks: 1e10, reach: 40, swing: 0.22, lot: 1, turnover: 9e13 },
  // Tiny in price.
  SHIBUSDT: { ...coin, anchor: 0.000_015, ticks: 1e9, swing: 0.1, lot: 1, turnover: 7e12 },
  SOLUSDT: { ...coin, anchor: 130, ticks: 1e3, swing: 0.1, lot: 1 / 8, turnover: 22_000_000 },
  // Nearly flat: two stablecoins.
  USDCUSDT: { ...coin, anchor: 1, ticks: 1e4, reach: 1.02, swing: 0.0005, pull: 0.5, lot: 1, turnover: 9e8 },
  XRPUSDT: { ...coin, anchor: 0.9, ticks: 1e5, swing: 0.1, lot: 1, turnover: 900_000_000 },
}

/** Every history starts at this Monday, 2015-01-05 00:00 UTC; all timeframes have a candle that opens there. */
const epoch = 1_420_416_000

/** The timeframes from coarse to fine: each candle of one is cut into candles of the next. */
const levels = ['1w', '1d', '4h', '1h', '15m', '5m', '1m'] as const satisfies readonly Timeframe[]

/** The moments of a minute that may trade. The first second has none: a candle is born with the price before it. */
const moments = timeframes['1m'] - 1

interface Week extends Bar {
  /** The direction of the leg that the week belongs to. */
  readonly leg: 1 | -1
}

/** One invented market: what trades at which moment, in ticks and lots. */
class DemoMarket {
  readonly #seed: number
  /** A week follows from the week before it, so all of them are kept: 52 small objects a year. */
  readonly #weeks: Week[] = []

  constructor(
    symbol: string,
    readonly temper: MarketProfile,
  ) {
    this.#seed = seedOfText(symbol)
  }

  #random(level: number, index: number) {
    return createRandom(seedOf(this.#seed, level, index))
  }

  /** The week `index` weeks after the epoch. */
  #week(index: number): Week {
    for (let next = this.#weeks.length; next <= index; next++)
      this.#weeks.push(this.#following(this.#weeks[next - 1], next))
    return this.#weeks[index] as Week
  }

  #following(before: Week | undefined, index: number): Week {
    const { anchor, reach, ticks, swing, pull, drift, lot, turnover } = this.temper
    const random = this.#random(0, index)
    const home = anchor * ticks
    const floor = Math.round(home / reach)
    const ceiling = Math.round(home * reach)
    const within = (price: number) => Math.min(ceiling, Math.max(floor, Math.round(price)))

    const open = before?.close ?? within(home)
    let leg = before?.leg ?? 1
    if (open * 3 > ceiling) leg = -1
    if (open < floor * 3) leg = 1
    const mood = 0.5 + random()
    const deviation = swing * mood
    const homeward = (2 * pull * (home - open)) / (home + open)
    // Without the half of the variance, equal steps up and down in per cent would sink the price (Itô).
    const steady = (deviation * deviation) / 2
    const change = Math.max(-0.6, deviation * normal(random) + steady + homeward + drift * leg)
    const close = within(open * (1 + change))
    const above = open * deviation * 0.5 * Math.abs(normal(random))
    const below = open * deviation * 0.5 * Math.abs(normal(random))
    const lots = ((turnover / lot) * mood * (0.5 + random()) * home) / open
    return {
      open,
      high: within(Math.max(open, close) + above),
      low: within(Math.min(open, close) - below),
      close,
      volume: Math.max(fewestLots, Math.round(lots)),
      leg,
    }
  }

  /** The candles `from` … `to` of a level, complete ones, counted from the epoch. */
  bars(level: number, from: number, to: number): Bar[] {
    const bars: Bar[] = []
    if (level === 0) {
      for (let index = from; index <= to; index++) bars.push(this.#week(index))
      return bars
    }
    const parts = partsOf(level)
    const first = Math.floor(from / parts)
    const parents = this.bars(level - 1, first, Math.floor(to / parts))
    for (const [at, parent] of parents.entries()) {
      const start = (first + at) * parts
      const children = split(parent, parts, this.temper.rough, this.#random(level, first + at))
      for (let part = Math.max(0, from - start); part < parts && start + part <= to; part++) {
        bars.push(children[part] as Bar)
      }
    }
    return bars
  }

  /** What is known of the complete candle `bar` of a level, `elapsed` seconds after its open. */
  formed(bar: Bar, level: number, index: number, elapsed: number): Bar {
    if (level === levels.length - 1) {
      const { open } = bar
      const known: Bar[] = [{ open, high: open, low: open, close: open, volume: 0 }]
      for (const trade of trades(bar, moments, this.temper.rough, this.#random(levels.length, index))) {
        if (known.length > elapsed) break
        const { price, volume } = trade
        known.push({ open: price, high: price, low: price, close: price, volume })
      }
      return join(known)
    }
    const below = level + 1
    const parts = partsOf(below)
    const length = timeframes[levels[below] as Timeframe]
    const closed = Math.floor(elapsed / length)
    const children = split(bar, parts, this.temper.rough, this.#random(below, index))
    const forming = this.formed(
      children[closed] as Bar,
      below,
      index * parts + closed,
      elapsed - closed * length,
    )
    return join([...children.slice(0, closed), forming])
  }
}

/** How many candles of a level make one of the level above. */
const partsOf = (level: number) =>
  timeframes[levels[level - 1] as Timeframe] / timeframes[levels[level] as Timeframe]

/** One market that is followed. */
interface Watch {
  readonly symbol: string
  readonly timeframe: Timeframe
  readonly channel: CandleChannel
  /** The newest candle that was told. */
  last: Candle | undefined
}

/** The longest time between two looks at the clock, which need not run at the speed of the timers. */
const maxTimerMs = 250

/** A candle moves with its volume: there is no trade without one. */
const isUnmoved = (one: Candle, other: Candle) =>
  one.timestamp === other.timestamp && one.volume === other.volume

const unknown = (symbol: string) =>
  new SourceFailure('unknown-symbol', `"${symbol}" is not a symbol of the exchange demo`)

/**
 * The exchange `demo`: invented markets that need no network, never end and are alive. What it answers depends on
 * the moment only, so every instance agrees with every other one. Candles of all timeframes are cut from the same
 * weeks: sixty minutes are their hour exactly, and the forming candle is what its trades so far make of it.
 *
 * @param clock the moment, in Unix seconds and fractions of them
 */
export function createDemoSource(clock: () => number = () => Date.now() / 1000) {
  const markets = new Map(
    Object.entries(marketProfiles).map(([symbol, temper]) => [symbol, new DemoMarket(symbol, temper)]),
  )
  const symbols: readonly string[] = [...markets.keys()].sort()
  const watches = new Set<Watch>()
  let timer: NodeJS.Timeout | undefined
  let second = Number.NEGATIVE_INFINITY

  /** Tells every watch what is new, once for each second in which there may have been a trade. */
  const tell = () => {
    const now = clock()
    const [past, current] = [second, Math.floor(now)]
    second = current
    for (const watch of watches) if (past !== current || watch.last === undefined) tellOne(watch, now)
    timer = undefined
    if (watches.size > 0) wake(Math.min(maxTimerMs, (Math.floor(now) + 1 - now) * 1000))
  }
  const wake = (ms: number) => {
    timer ??= setTimeout(tell, ms)
  }
  const tellOne = (watch: Watch, now: number) => {
    const { symbol, timeframe, last, channel } = watch
    const opens = openOf(timeframe, now)
    const count = last === undefined ? 1 : (opens - last.timestamp) / timeframes[timeframe] + 1
    // A clock that went back tells nothing until it is where it was.
    if (count < 1) return
    const candles = exchange.candles(symbol, timeframe, count)
    const newest = candles.at(-1)
    if (newest === undefined || (candles.length === 1 && last && isUnmoved(newest, last))) return
    watch.last = newest
    channel.push(candles)
  }

  const exchange = {
    isComputed: true,
    symbols: () => symbols,

    /** The candles that change, as the seconds pass. */
    watch(symbol, timeframe, signal): AsyncIterable<readonly Candle[]> {
      if (!markets.has(symbol)) throw unknown(symbol)
      const watch: Watch = { symbol, timeframe, channel: new CandleChannel(), last: undefined }
      if (signal.aborted) watch.channel.end()
      else {
        watches.add(watch)
        signal.addEventListener('abort', () => end(watch), { once: true })
        clearTimeout(timer)
        timer = undefined
        wake(0)
      }
      return watch.channel
    },

    async close() {
      for (const watch of watches) end(watch)
    },

    candles(symbol, timeframe, count, { until } = {}): readonly Candle[] {
      const market = markets.get(symbol)
      if (!market) throw unknown(symbol)
      const now = clock()
      const length = timeframes[timeframe]
      const open = openOf(timeframe, now)
      const wanted = until === undefined ? open : Math.min(open, openOf(timeframe, until - 1))
      const last = (wanted - epoch) / length
      const first = Math.max(0, last - count + 1)
      if (last < first) return []

      const level = levels.indexOf(timeframe)
      const bars = market.bars(level, first, last)
      if (wanted === open) bars.push(market.formed(bars.pop() as Bar, level, last, now - open))
      const { lot, ticks } = market.temper
      return bars.map((bar, at) => ({
        timestamp: epoch + (first + at) * length,
        open: bar.open / ticks,
        high: bar.high / ticks,
        low: bar.low / ticks,
        close: bar.close / ticks,
        volume: bar.volume * lot,
      }))
    },
  } satisfies Source

  const end = (watch: Watch) => {
    watches.delete(watch)
    watch.channel.end()
    if (watches.size > 0) return
    clearTimeout(timer)
    timer = undefined
  }

  return exchange
}
