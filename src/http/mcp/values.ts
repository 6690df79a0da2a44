import { noteOfAge } from '../../candles/age.js'
import { formatTime } from '../../candles/format-time.js'

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

/** What is said of candles whose newest one ended so many seconds ago. */
export const oldNote = (symbol: string, age: number): string =>
  `Not up to date: ${symbol}: ${noteOfAge(age)}.`
