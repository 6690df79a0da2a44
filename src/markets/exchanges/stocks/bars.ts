import { z } from 'zod'
import type { Candle } from '../../../candles/candle.js'
import { timeframes } from '../../../candles/timeframe.js'
import { type ChartPage, rowOf } from './chart.js'
import type { Interval } from './provider.js'
import { earlyCloseOn, sessionAt } from './trading-hours.js'

/** The prices and the volume of a bar, as Alpaca and Massive name them. */
export const barShape = { o: z.number(), h: z.number(), l: z.number(), c: z.number(), v: z.number() }
type Bar = z.output<z.ZodObject<typeof barShape>>

/** A bar that opens at a time (Unix seconds) as a candle; undefined where a price is none. */
export const candleOfBar = (timestamp: number, { o, h, l, c, v }: Bar): Candle | undefined =>
  rowOf(timestamp, [o, h, l, c], v)

/** The page of bars of a provider that knows neither sessions nor first trades; hours before and after sessions may be among them. */
export function pageOfBars(candles: readonly (Candle | undefined)[], interval: Interval): ChartPage {
  const rows = candles.filter(candle => candle !== undefined)
  const closes = new Map<number, number>()
  for (const { timestamp } of rows) {
    const session = sessionAt(timestamp)
    const close = earlyCloseOn(session)
    if (close !== undefined) closes.set(session.date, close)
  }
  const newest = rows.reduce((latest, { timestamp }) => Math.max(latest, timestamp), Number.NEGATIVE_INFINITY)
  // A day has no time of its last trade.
  const lastTrade = interval === '1d' || rows.length === 0 ? undefined : newest + timeframes[interval]
  return { rows, splits: [], closes, firstTrade: undefined, lastTrade }
}
