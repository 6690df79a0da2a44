import type { Candle } from '../../candles/candle.js'
import { Columns, candleAt, countBefore, type Snapshot, timestampAt } from '../../candles/columns.js'
import { type Timeframe, timeframes } from '../../candles/timeframe.js'
import { canonicalSymbol, type Market } from '../../contract/market.js'
import { expected, invalidValue, isRefusal, missingRequired, type Refusal } from '../../contract/refusals.js'
import { fold } from '../../exchanges/resample.js'
import type { TextFields } from './text-fields.js'

/** The intervals, each with the timeframe whose candles it is made of and its length in seconds. */
const intervals: Readonly<Record<string, readonly [Timeframe, seconds: number]>> = {
  '1m': ['1m', 60],
  '3m': ['1m', 180],
  '5m': ['5m', 300],
  '15m': ['15m', 900],
  '30m': ['15m', 1800],
  '1h': ['1h', 3600],
  '2h': ['1h', 7200],
  '4h': ['4h', 14_400],
  '6h': ['1h', 21_600],
  '8h': ['4h', 28_800],
  '12h': ['4h', 43_200],
  '1d': ['1d', 86_400],
  '1w': ['1w', 604_800],
}

const charts = ['candles', 'heikinashi'] as const

/** The candles that a request is about. */
export interface Series {
  /** The market whose candles are read. */
  readonly market: Market
  /** Seconds of the candles that are made of them; undefined where they are the same. */
  readonly foldedSeconds: number | undefined
  readonly interval: string
  readonly chart: (typeof charts)[number]
  /** Whether candles that are missing are filled in. */
  readonly fillsGaps: boolean
  /** Unix seconds of the first and of the last candle that is wanted. */
  readonly from: number | undefined
  readonly to: number | undefined
}

/** The fields that say which candles are meant. */
export const seriesFields = [
  'type',
  'exchange',
  'symbol',
  'interval',
  'chart',
  'gaps',
  'fromTimestamp',
  'toTimestamp',
] as const

/** Reads which candles a request is about. */
export function readSeries(fields: TextFields): Series | Refusal {
  const [symbol, interval] = [fields.get('symbol'), fields.get('interval')]
  if (symbol === undefined || interval === undefined)
    return missingRequired(['symbol', 'interval'].filter(name => !fields.has(name)))
  const type = fields.get('type') ?? 'crypto'
  if (type !== 'crypto' && type !== 'stocks')
    return invalidValue('type', type, expected.oneOf(['crypto', 'stocks']))
  const origin = Object.hasOwn(intervals, interval) ? intervals[interval] : undefined
  if (!origin) return invalidValue('interval', interval.slice(0, 20), expected.oneOf(Object.keys(intervals)))
  const [timeframe, seconds] = origin
  const exchange = type === 'stocks' ? 'stocks' : (fields.get('exchange') ?? 'binance').toLowerCase()
  const shape = readShape(fields)
  if (isRefusal(shape)) return shape
  return {
    market: { exchange, symbol: canonicalSymbol(symbol), timeframe },
    foldedSeconds: timeframe === interval ? undefined : seconds,
    interval,
    ...shape,
  }
}

function readShape(fields: TextFields): Pick<Series, 'chart' | 'fillsGaps' | 'from' | 'to'> | Refusal {
  const chart = fields.get('chart') ?? 'candles'
  if (chart !== 'candles' && chart !== 'heikinashi')
    return invalidValue('chart', chart, expected.oneOf(charts))
  const times: (number | undefined)[] = []
  for (const name of ['fromTimestamp', 'toTimestamp'] as const) {
    const text = fields.get(name)
    if (text !== undefined && !/^\d{1,12}$/.test(text))
      return invalidValue(name, text, expected.range('integer', 0, 1e12))
    times.push(text === undefined ? undefined : Number(text))
  }
  const [from, to] = times
  return { chart, fillsGaps: fields.get('gaps') === 'false', from, to }
}

/** The candles of series, made of those of their markets. */
export class DerivedCandles {
  /** By the snapshot that they are made of, while it is in memory: bots ask for many indicators over one series. */
  readonly #known = new WeakMap<Snapshot, Map<string, Snapshot>>()

  of(series: Series, snapshot: Snapshot): Snapshot {
    const { foldedSeconds, chart, fillsGaps, interval, to } = series
    let derived = snapshot
    if (foldedSeconds !== undefined || chart !== 'candles' || fillsGaps) {
      const key = `${interval} ${chart} ${fillsGaps}`
      const known = this.#known.get(snapshot) ?? new Map<string, Snapshot>()
      this.#known.set(snapshot, known)
      derived = known.get(key) ?? derive(series, snapshot)
      known.set(key, derived)
    }
    return to === undefined ? derived : endAt(derived, to)
  }
}

function derive({ foldedSeconds, chart, fillsGaps, market }: Series, snapshot: Snapshot): Snapshot {
  let derived = foldedSeconds === undefined ? snapshot : foldSnapshot(snapshot, foldedSeconds)
  if (fillsGaps) derived = fillGaps(derived, foldedSeconds ?? timeframes[market.timeframe])
  return chart === 'heikinashi' ? toHeikinAshi(derived) : derived
}

/** How many candles open at `from` (Unix seconds) or later. */
export function countFrom({ columns, closed, forming }: Snapshot, from: number): number {
  const isFormingIn = forming !== undefined && forming.timestamp >= from
  return closed - countBefore(columns, closed, from) + (isFormingIn ? 1 : 0)
}

/** The candles that open at `to` (Unix seconds) or earlier. */
function endAt(snapshot: Snapshot, to: number): Snapshot {
  if (snapshot.count === 0 || timestampAt(snapshot, snapshot.count - 1) <= to) return snapshot
  const closed = countBefore(snapshot.columns, snapshot.closed, to + 1)
  return { columns: snapshot.columns, closed, forming: undefined, count: closed }
}

const asSnapshot = (columns: Columns, count: number): Snapshot => ({
  columns,
  closed: count,
  forming: undefined,
  count,
})

function* candlesOf(snapshot: Snapshot): Generator<Candle> {
  for (let i = 0; i < snapshot.count; i++) yield candleAt(snapshot, i)
}

/** Candles of `seconds`, counted from the epoch. The first one is left out where its beginning is missing. */
function foldSnapshot(snapshot: Snapshot, seconds: number): Snapshot {
  let hasBegun = false
  const folded = fold(candlesOf(snapshot), time => {
    const open = Math.floor(time / seconds) * seconds
    hasBegun ||= time === open
    return hasBegun ? open : undefined
  })
  const columns = Columns.unshared(folded.length)
  for (const [at, candle] of folded.entries()) columns.write(at, candle)
  return asSnapshot(columns, folded.length)
}

/** How many candles a series may have after its gaps were filled. */
const maxFilled = 100_000

/** The candles with one for each interval in which nothing was traded: no volume, all prices at the last close. */
function fillGaps(snapshot: Snapshot, seconds: number): Snapshot {
  if (snapshot.count === 0) return snapshot
  const [first, last] = [timestampAt(snapshot, 0), timestampAt(snapshot, snapshot.count - 1)]
  const count = Math.round((last - first) / seconds) + 1
  if (count <= snapshot.count || count > maxFilled) return snapshot
  const columns = Columns.unshared(count)
  let at = 0
  for (let i = 0; i < snapshot.count; i++) {
    const candle = candleAt(snapshot, i)
    while (at > 0 && at < count && (columns.timestamp[at - 1] as number) + seconds < candle.timestamp) {
      const close = columns.close[at - 1] as number
      const timestamp = (columns.timestamp[at - 1] as number) + seconds
      columns.write(at++, { timestamp, open: close, high: close, low: close, close, volume: 0 })
    }
    if (at < count) columns.write(at++, candle)
  }
  return asSnapshot(columns, at)
}

/**
 * Heikin-Ashi candles. Source: Valcu, "Using the Heikin-Ashi Technique", Technical Analysis of Stocks & Commodities
 * 22:2 (2004).
 */
function toHeikinAshi(snapshot: Snapshot): Snapshot {
  const { count } = snapshot
  const columns = Columns.unshared(count)
  for (let i = 0; i < count; i++) {
    const candle = candleAt(snapshot, i)
    const close = (candle.open + candle.high + candle.low + candle.close) / 4
    const open =
      i === 0
        ? (candle.open + candle.close) / 2
        : ((columns.open[i - 1] as number) + (columns.close[i - 1] as number)) / 2
    columns.write(i, {
      ...candle,
      open,
      high: Math.max(candle.high, open, close),
      low: Math.min(candle.low, open, close),
      close,
    })
  }
  return asSnapshot(columns, count)
}
