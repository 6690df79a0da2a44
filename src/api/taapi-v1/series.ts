import { allUntil, Columns, candleAt, rewind, type Snapshot, timestampAt } from '../../candles/columns.js'
import { candlesBetween, endOf, isTimeframe, type Timeframe, timeframes } from '../../candles/timeframe.js'
import { canonicalSymbol, type Market } from '../../contract/market.js'
import { expected, invalidValue, isRefusal, missingRequired, type Refusal } from '../../contract/refusals.js'
import type { TextFields } from './text-fields.js'

const charts = ['candles', 'heikinashi'] as const

/** The candles that a request is about. */
export interface Series {
  /** The market whose candles are read. */
  readonly market: Market
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
  if (!isTimeframe(interval))
    return invalidValue('interval', interval.slice(0, 20), expected.oneOf(Object.keys(timeframes)))
  const exchange = type === 'stocks' ? 'stocks' : (fields.get('exchange') ?? 'binance').toLowerCase()
  const shape = readShape(fields)
  if (isRefusal(shape)) return shape
  return { market: { exchange, symbol: canonicalSymbol(symbol), timeframe: interval }, ...shape }
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
    const { chart, fillsGaps, to } = series
    let derived = snapshot
    if (chart !== 'candles' || fillsGaps) {
      const key = `${chart} ${fillsGaps}`
      const known = this.#known.get(snapshot) ?? new Map<string, Snapshot>()
      this.#known.set(snapshot, known)
      derived = known.get(key) ?? derive(series, snapshot)
      known.set(key, derived)
    }
    return to === undefined ? derived : rewind(derived, derived.count - allUntil(derived, to))
  }
}

function derive({ chart, fillsGaps, market }: Series, snapshot: Snapshot): Snapshot {
  const whole = fillsGaps ? fillGaps(snapshot, market.timeframe) : snapshot
  return chart === 'heikinashi' ? toHeikinAshi(whole) : whole
}

const asSnapshot = (columns: Columns, count: number): Snapshot => ({
  columns,
  closed: count,
  forming: undefined,
  count,
})

/** How many candles a series may have after its gaps were filled. */
const maxFilled = 100_000

/** The candles with one for each interval in which nothing was traded: no volume, all prices at the last close. */
function fillGaps(snapshot: Snapshot, timeframe: Timeframe): Snapshot {
  if (snapshot.count === 0) return snapshot
  const [first, last] = [timestampAt(snapshot, 0), timestampAt(snapshot, snapshot.count - 1)]
  const count = Math.round(candlesBetween(timeframe, first, last)) + 1
  if (count <= snapshot.count || count > maxFilled) return snapshot
  const columns = Columns.unshared(count)
  let at = 0
  for (let i = 0; i < snapshot.count; i++) {
    const candle = candleAt(snapshot, i)
    while (at > 0 && at < count) {
      const timestamp = endOf(timeframe, columns.timestamp[at - 1] as number)
      if (timestamp >= candle.timestamp) break
      const close = columns.close[at - 1] as number
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
