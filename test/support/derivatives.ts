import type { Candle } from '../../src/candles/candle.js'
import { openOf, type Timeframe } from '../../src/candles/timeframe.js'
import type { TimesKind } from '../../src/contract/market.js'

/** Milliseconds between two values of the fake exchanges. */
export const periods: Readonly<Record<TimesKind, number>> = { funding: 28_800_000, openinterest: 300_000 }

/** The value of the fake exchanges at a time (milliseconds); it differs at each time. */
export const valueAt = (kind: TimesKind, time: number): number =>
  kind === 'funding'
    ? Math.floor(400 * Math.sin((time / periods.funding) * 1.7) + 100) / 1e6
    : Math.round(50_000_000 + 20_000_000 * Math.sin(time / 40_000_000) + (time % 7_000_000) / 1000) / 1000

/** The times of values from `from` to `to` (milliseconds, both included), ascending. */
export function timesBetween(from: number, to: number, period: number): readonly number[] {
  const times: number[] = []
  for (let time = Math.ceil(from / period) * period; time <= to; time += period) times.push(time)
  return times
}

/** The candles of a timeframe from the values between `from` and `to` (milliseconds), `period` milliseconds apart. */
export function candlesOfValues(
  kind: TimesKind,
  timeframe: Timeframe,
  from: number,
  to: number,
  period = periods[kind],
): Candle[] {
  const slots = new Map<number, number[]>()
  for (const time of timesBetween(from, to, period)) {
    const open = openOf(timeframe, time / 1000)
    slots.set(open, [...(slots.get(open) ?? []), valueAt(kind, time)])
  }
  return [...slots].map(([timestamp, values]) => ({
    timestamp,
    open: values[0] as number,
    high: Math.max(...values),
    low: Math.min(...values),
    close: values.at(-1) as number,
    volume: 0,
  }))
}
