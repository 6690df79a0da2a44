import { oldCandlesNote } from '../candles/age.js'
import { formatTime } from '../candles/format-time.js'
import type { Timeframe } from '../candles/timeframe.js'

/** Digits of numbers: enough for any decision, and fewer tokens. */
const digits = 8

/** A number with few digits, and all else as it is. */
export const short = (value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(digits)) : value

const cell = (value: unknown): string =>
  value === null || value === undefined ? '' : String(short(value)).replaceAll(',', ' ')

/** Rows as CSV; texts of several names are separated by spaces. */
export const csv = (header: readonly string[], rows: readonly (readonly unknown[])[]): readonly string[] => [
  header.join(','),
  ...rows.map(row => row.map(cell).join(',')),
]

/** The times that an answer has, in Unix seconds, as models read them. */
export const timeText = (seconds: number): string => formatTime(seconds)

/** What is said of candles that are old: their market is closed, or its exchange gives no newer ones. */
export function oldNote(
  timeframe: Timeframe,
  newest: number,
  now: number,
  symbol: string,
): string | undefined {
  const note = oldCandlesNote(timeframe, newest, now)
  return note === undefined ? undefined : `Not up to date: ${symbol}: ${note}.`
}
