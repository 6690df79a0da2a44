import { z } from 'zod'
import type { Candle } from '../../candles/candle.js'
import { openOf, type Timeframe, timeframes } from '../../candles/timeframe.js'
import { fold } from '../resample.js'
import { WrongMarket } from './failure.js'
import { sessionAt } from './trading-hours.js'

/** Unix seconds. The client passes dates, or Yahoo's own seconds where its check of the chart failed half-way. */
const time = z
  .union([z.number(), z.date().transform(date => date.getTime() / 1000)])
  .pipe(z.number().min(-1e10).max(1e10))
  .nullish()
  .catch(undefined)
  .transform(seconds => seconds ?? undefined)
const list = z.custom<readonly unknown[]>(Array.isArray, 'is no list')
const period = z.object({ start: time, end: time })

/** What is read of Yahoo's charts. The client's own schema is stricter and fails whenever Yahoo adds a field. */
const schema = z.object({
  meta: z.object({
    instrumentType: z.string().nullish(),
    exchangeTimezoneName: z.string().nullish(),
    firstTradeDate: time,
    regularMarketTime: time,
    tradingPeriods: z.array(z.array(period)).optional().catch(undefined),
  }),
  timestamp: list.optional(),
  events: z
    .object({
      splits: z
        .record(z.string(), z.object({ date: time, numerator: z.number(), denominator: z.number() }))
        .optional(),
    })
    .optional()
    .catch(undefined),
  indicators: z.object({
    quote: z.array(
      z.object({
        open: list.optional(),
        high: list.optional(),
        low: list.optional(),
        close: list.optional(),
        volume: list.optional(),
      }),
    ),
  }),
})

/** A change of the number of shares. */
export interface Split {
  readonly timestamp: number
  /** Shares after it for one share before. */
  readonly factor: number
}

/** One page of a history: the chart of a time range. All times in Unix seconds. */
export interface ChartPage {
  /** Rows as candles under the times that Yahoo gives them, unordered. */
  readonly rows: readonly Candle[]
  readonly splits: readonly Split[]
  /** The close of the regular session by its date, where Yahoo shows it. */
  readonly closes: ReadonlyMap<number, number>
  /** The first trade of the security. */
  readonly firstTrade: number | undefined
  /** Its last trade when the chart was fetched. */
  readonly lastTrade: number | undefined
}

/**
 * Reads the chart of the time from `start` to before `end`.
 * @throws WrongMarket for a security that is not traded in New York; ZodError where it is no chart.
 */
export function readChart(chart: unknown, start: number, end: number): ChartPage {
  const { meta, timestamp: times = [], events, indicators } = schema.parse(chart)
  if (
    meta.exchangeTimezoneName !== 'America/New_York' ||
    !['EQUITY', 'ETF'].includes(meta.instrumentType ?? '')
  ) {
    throw new WrongMarket(`${meta.instrumentType} in ${meta.exchangeTimezoneName}`)
  }
  const { open = [], high = [], low = [], close = [], volume = [] } = indicators.quote[0] ?? {}
  const closes = new Map<number, number>()
  for (const { end } of meta.tradingPeriods?.flat() ?? [])
    if (end !== undefined) closes.set(sessionAt(end - 1).date, end)
  return {
    rows: times
      .map((time, i) =>
        typeof time === 'number' && time >= start && time < end
          ? rowOf(time, [open[i], high[i], low[i], close[i]], volume[i])
          : undefined,
      )
      .filter(row => row !== undefined),
    splits: Object.values(events?.splits ?? {}).flatMap(({ date, numerator, denominator }) =>
      date === undefined ? [] : [{ timestamp: date, factor: numerator / denominator }],
    ),
    closes,
    firstTrade: meta.firstTradeDate,
    lastTrade: meta.regularMarketTime,
  }
}

/** A row with all four prices; Yahoo has nulls for minutes without a trade and for days that have not begun. */
function rowOf(time: number, prices: readonly unknown[], volume: unknown): Candle | undefined {
  if (!prices.every(price => typeof price === 'number' && Number.isFinite(price) && price > 0))
    return undefined
  const [open, high, low, close] = (prices as readonly number[]).map(shortened) as [
    number,
    number,
    number,
    number,
  ]
  return {
    timestamp: Math.floor(time),
    open,
    // Yahoo rounds the four prices separately, so that a high can be below its close.
    high: Math.max(open, high, low, close),
    low: Math.min(open, high, low, close),
    close,
    volume: typeof volume === 'number' && volume > 0 && Number.isFinite(volume) ? volume : 0,
  }
}

/** Yahoo sends 32-bit floats written as 64-bit ones (189.9499969482422): the shortest number that is the same float. */
function shortened(value: number): number {
  if (Math.fround(value) !== value) return value
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return value
}

/** A split is adjusted here when it changes the number of shares by at least five for four, in either direction. */
const minSplitFactor = 5 / 4

/** The candles of a timeframe from the rows of all pages, ascending. */
export function candlesOf(timeframe: Timeframe, pages: readonly ChartPage[]): Candle[] {
  const byTime = new Map<number, Candle>()
  const splits = new Map<number, Split>()
  const closes = new Map<number, number>()
  for (const page of pages) {
    for (const row of page.rows) byTime.set(row.timestamp, row)
    for (const split of page.splits) splits.set(split.timestamp, split)
    for (const [date, close] of page.closes) closes.set(date, close)
  }
  const ordered = [...byTime.values()].sort((a, b) => a.timestamp - b.timestamp)
  const rows = adjustSplits(ordered, [...splits.values()])

  if (timeframes[timeframe] >= timeframes['1d']) {
    // During a session Yahoo appends the current state of the day as a second row: it replaces the first one.
    const days = new Map<number, Candle>()
    for (const row of rows) {
      const { date, isWeekend } = sessionAt(row.timestamp)
      if (!isWeekend) days.set(date, { ...row, timestamp: date })
    }
    return fold(days.values(), time => openOf(timeframe, time))
  }
  const length = timeframes[timeframe]
  return fold(rows, time => {
    const { date, open, close, isWeekend } = sessionAt(time)
    if (isWeekend || time < open || time >= Math.min(close, closes.get(date) ?? close)) return undefined
    return open + Math.floor((time - open) / length) * length
  })
}

/**
 * Divides the rows before a split by its factor where Yahoo has not done so yet: on the day of a split it can be hours
 * late. This is seen from the price across the split, which is no evidence for a small split: Yahoo's rows are used.
 */
function adjustSplits(rows: readonly Candle[], splits: readonly Split[]): readonly Candle[] {
  let result = rows
  for (const { timestamp, factor } of splits) {
    if (!(factor >= minSplitFactor || (factor > 0 && factor <= 1 / minSplitFactor))) continue
    const firstOpen = sessionAt(timestamp).open
    const index = result.findIndex(row => row.timestamp >= firstOpen)
    if (index < 1) continue
    const ratio = (result[index - 1] as Candle).close / (result[index] as Candle).open
    const isAdjusted = Math.abs(Math.log(ratio / factor)) >= Math.abs(Math.log(ratio))
    if (!isAdjusted) result = result.map((row, i) => (i < index ? dividedBy(factor, row) : row))
  }
  return result
}

const dividedBy = (factor: number, row: Candle): Candle => ({
  timestamp: row.timestamp,
  open: row.open / factor,
  high: row.high / factor,
  low: row.low / factor,
  close: row.close / factor,
  volume: row.volume * factor,
})
