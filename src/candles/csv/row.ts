import type { Candle } from '../candle.js'
import { type ColumnName, columnNames } from '../columns.js'
import { isNumber, parseTime, quoteCell } from './cell.js'
import type { Layout } from './layout.js'

/** The numbers of a record, which need not be a possible candle; a string is the reason why one of them cannot be read. */
export function readCells(record: readonly string[], layout: Layout): Candle | string {
  const values: Partial<Record<ColumnName, number>> = {}
  for (const field of columnNames) {
    const at = layout[field]
    if (at === undefined) {
      values[field] = 0
      continue
    }
    const cell = record[at] ?? ''
    if (cell === '') return `${field} is missing`
    if (field === 'timestamp') {
      const timeOfDay = layout.timeOfDay === undefined ? '' : (record[layout.timeOfDay] ?? '')
      const time = parseTime(cell, { timeOfDay, isDate: layout.isDate })
      if (time === undefined) return problemOfTime(`${cell} ${timeOfDay}`.trim())
      values.timestamp = time
      continue
    }
    const value = isNumber(cell) ? Number(cell) : Number.NaN
    if (!Number.isFinite(value)) return `${field} is ${quoteCell(cell)}, expected a number`
    values[field] = value
  }
  return values as Candle
}

export const problemOfTime = (text: string) =>
  `time is ${quoteCell(text)}, expected Unix seconds (or milli-, micro-, nanoseconds) or YYYY-MM-DD HH:MM:SS`

/** Which price is not above 0; undefined where all are. */
export function priceNotPositive({ open, high, low, close }: Candle): string | undefined {
  for (const [name, price] of Object.entries({ open, high, low, close })) {
    if (price <= 0) return `${name} is ${price}, expected a price above 0`
  }
  return undefined
}

/** Why numbers cannot be a candle of any market; undefined where they can. */
export function contradiction({
  high,
  low,
  volume,
}: Pick<Candle, 'high' | 'low' | 'volume'>): string | undefined {
  if (high < low) return 'high is below low'
  if (volume < 0) return 'volume is negative'
  return undefined
}

/** Which price is outside of high and low, as on exchanges that take the previous close as the open; undefined for none. */
export function outOfRangePrice({ open, high, low, close }: Candle): string | undefined {
  if (open > high) return 'open is above high'
  if (open < low) return 'open is below low'
  if (close > high) return 'close is above high'
  if (close < low) return 'close is below low'
  return undefined
}
