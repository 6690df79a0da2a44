import { type Chart, readChart } from '../../candles/charts/chart.js'
import {
  allUntil,
  Columns,
  candleAt,
  type Inputs,
  rewind,
  type Snapshot,
  timestampAt,
} from '../../candles/columns.js'
import { candlesBetween, endOf, isTimeframe, type Timeframe, timeframes } from '../../candles/timeframe.js'
import { barsInSlices } from '../../compute/executor.js'
import type { TextFields } from '../../contract/fields.js'
import { canonicalSymbol, type Market } from '../../contract/market.js'
import { expected, invalidValue, isRefusal, missingRequired, type Refusal } from '../../contract/refusals.js'

const charts = ['candles', 'heikinashi']

/** Candles of a request. */
export interface Series {
  readonly market: Market
  readonly chart: Chart | undefined
  readonly fillsGaps: boolean
  /** Open times of the first and the last requested candle, in Unix seconds. */
  readonly from: number | undefined
  readonly to: number | undefined
}

/** Reads the selection of candles of a request. */
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
  const name = fields.get('chart') ?? 'candles'
  if (!charts.includes(name)) return invalidValue('chart', name, expected.oneOf(charts))
  const chart = readChart(name) as Chart | 'candles'
  const times: (number | undefined)[] = []
  for (const name of ['fromTimestamp', 'toTimestamp'] as const) {
    const text = fields.get(name)
    if (text !== undefined && !/^\d{1,12}$/.test(text))
      return invalidValue(name, text, expected.range('integer', 0, 1e12))
    times.push(text === undefined ? undefined : Number(text))
  }
  const [from, to] = times
  return {
    chart: chart === 'candles' ? undefined : chart,
    fillsGaps: fields.get('gaps') === 'false',
    from,
    to,
  }
}

/** Candles of a series in its chart, with filled gaps if requested, up to its last requested candle. */
export async function derivedCandles(
  { chart, fillsGaps, market, to }: Series,
  [snapshot]: Inputs,
): Promise<Inputs> {
  const whole = fillsGaps ? fillGaps(snapshot, market.timeframe) : snapshot
  const bars = await barsInSlices(chart, [whole])
  return to === undefined ? bars : rewind(bars, bars[0].count - allUntil(bars[0], to))
}

const maxFilled = 100_000

/** Fills each interval without trades with a candle: no volume, all prices at the last close. */
function fillGaps(snapshot: Snapshot, timeframe: Timeframe): Snapshot {
  if (snapshot.count === 0) return snapshot
  const [first, last] = [timestampAt(snapshot, 0), timestampAt(snapshot, snapshot.count - 1)]
  const count = Math.round(candlesBetween(timeframe, first, last)) + 1
  if (count <= snapshot.count || count > maxFilled) return snapshot
  const columns = new Columns(count)
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
  return { columns, closed: at, forming: undefined, count: at }
}
