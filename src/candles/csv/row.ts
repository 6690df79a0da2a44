import type { Candle } from '../candle.js'
import { type ColumnName, columnNames } from '../columns.js'
import { isMissing, parseNumber, quoteCell } from './cell.js'
import type { Layout } from './layout.js'
import { parseTime } from './time.js'

/**
 * The numbers of a record, which need not be a possible candle; a string is the reason why one of them cannot be read. Undefined
 * where no price has a value, as on days without trade.
 */
export function readCells(record: readonly string[], layout: Layout): Candle | string | undefined {
  const values: Partial<Record<ColumnName, number>> = {}
  for (const field of columnNames) {
    const at = layout[field]
    if (at === undefined) {
      values[field] = 0
      continue
    }
    const cell = record[at] ?? ''
    if (field === 'timestamp') {
      const time = timeOfRecord(record, layout)
      if (time === undefined)
        return cell === '' ? `${field} is missing` : problemOfTime(textOfTime(record, layout))
      values.timestamp = time
      continue
    }
    const value = cell === '' ? Number.NaN : parseNumber(cell, layout.decimalMark)
    if (Number.isFinite(value)) {
      values[field] = value
      continue
    }
    if (prices.every(price => isMissing(record[layout[price]] ?? ''))) return undefined
    // Of a currency or an index there may be no volume.
    if (field === 'volume' && cell !== '' && isMissing(cell)) values.volume = 0
    else return cell === '' ? `${field} is missing` : `${field} is ${quoteCell(cell)}, expected a number`
  }
  return values as Candle
}

const prices = ['open', 'high', 'low', 'close'] as const

/** The time of a record in Unix seconds; undefined where it cannot be read. */
export function timeOfRecord(record: readonly string[], layout: Layout): number | undefined {
  const { timeOfDay, isDate, dateOrder, utcOffset } = layout
  const clock = timeOfDay === undefined ? '' : (record[timeOfDay] ?? '')
  return parseTime(record[layout.timestamp] ?? '', { timeOfDay: clock, isDate, dateOrder, utcOffset })
}

const textOfTime = (record: readonly string[], { timestamp, timeOfDay }: Layout): string =>
  `${record[timestamp]} ${timeOfDay === undefined ? '' : (record[timeOfDay] ?? '')}`.trim()

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
