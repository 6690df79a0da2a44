import type { Candle } from '../candle.js'
import { type Cell, type DecimalMark, isMissing, markOfCell, parseNumber, quoteCell } from './cell.js'
import type { Layout } from './layout.js'
import { parseTime } from './time.js'

/** A candle that may have no time. */
export type Numbers = Omit<Candle, 'timestamp'> & { readonly timestamp?: number }

/** Why a row is no candle and no mistake: it is empty, a text such as a footer, a repeated header, or a day without trade. */
export type Omission = 'empty' | 'text' | 'header' | 'withoutPrices'

/** What a row has: the numbers of a candle, which need not be a possible one; a problem; or a reason to leave it out. */
export type RowReading = Numbers | string | { readonly omitted: Omission }

const prices = ['open', 'high', 'low', 'close'] as const
const omissions = {
  empty: { omitted: 'empty' },
  text: { omitted: 'text' },
  header: { omitted: 'header' },
  withoutPrices: { omitted: 'withoutPrices' },
} as const satisfies Record<Omission, RowReading>

/** Reads the rows of a table by its layout. */
export class RowReader {
  readonly #layout: Layout
  readonly #header: readonly string[]
  #mark: DecimalMark | undefined
  /** Rows without a volume, which is taken as 0. */
  withoutVolume = 0

  /** `header` is the record that names the columns, which may be repeated; empty where none does. */
  constructor(layout: Layout, header: readonly string[]) {
    this.#layout = layout
    this.#header = header
    this.#mark = layout.decimalMark
  }

  read(record: readonly Cell[]): RowReading {
    const layout = this.#layout
    const values: { -readonly [Name in keyof Candle]?: Candle[Name] } = {}
    if (layout.timestamp !== undefined) {
      const time = timeOfRecord(record, layout)
      if (time === undefined) return this.#omissionOf(record) ?? problemOf(record, layout)
      values.timestamp = time
    }
    for (const field of prices) {
      const value = this.#number(record[layout[field]])
      if (!Number.isFinite(value))
        return this.#omissionOf(record) ?? this.#problem(field, record[layout[field]])
      values[field] = value
    }
    const volume = this.#volumeOf(record)
    if (typeof volume === 'string') return volume
    values.volume = volume
    return values as Numbers
  }

  #volumeOf(record: readonly Cell[]): number | string {
    const { volume } = this.#layout
    if (volume === undefined) return 0
    const cell = record[volume]
    // Of a currency or an index there may be no volume. A row that ends before it is cut off.
    if (cell !== undefined && isMissing(cell)) {
      this.withoutVolume++
      return 0
    }
    const value = this.#number(cell)
    return Number.isFinite(value) ? value : this.#problem('volume', cell)
  }

  #number(cell: Cell = ''): number {
    if (typeof cell === 'number') return cell
    if (this.#mark === undefined) {
      if (/^\d{1,15}$/.test(cell)) return Number(cell)
      const mark = markOfCell(cell)
      if (mark === 'either') return Number.NaN
      this.#mark = mark
    }
    return cell === '' ? Number.NaN : parseNumber(cell, this.#mark)
  }

  #problem(field: string, cell: Cell = ''): string {
    if (cell === '') return `${field} is missing`
    const shown = quoteCell(String(cell))
    if (this.#mark === undefined && markOfCell(cell) === 'either')
      return `${field} is ${shown}, which may have decimals or thousands (add --decimal comma or --decimal point)`
    return `${field} is ${shown}, expected a number`
  }

  #omissionOf(record: readonly Cell[]): RowReading | undefined {
    const { timestamp = 0 } = this.#layout
    if (record.every(cell => cell === '')) return omissions.empty
    if (record.length === this.#header.length && record.every((cell, at) => cell === this.#header[at]))
      return omissions.header
    const cells = prices.map(price => record[this.#layout[price]])
    const isTime = timeOfRecord(record, this.#layout) !== undefined
    if (cells.every(cell => isMissing(cell ?? '')) && (isTime || cells.every(cell => cell !== undefined)))
      return omissions.withoutPrices
    const isText = /^[^\d]*\p{L}/u.test(String(record[timestamp] ?? ''))
    const hasNumber = cells.some(cell => cell !== undefined && !Number.isNaN(parseNumber(cell)))
    return isText && !isTime && !hasNumber ? omissions.text : undefined
  }
}

/** The time of a record in Unix seconds; undefined where it cannot be read. */
export function timeOfRecord(record: readonly Cell[], layout: Layout): number | undefined {
  const { timestamp, clock, clockDigits, dateForm, zone } = layout
  const text = timestamp === undefined ? '' : String(record[timestamp] ?? '')
  if (clock === undefined) return parseTime(text, { dateForm, zone })
  const time = String(record[clock] ?? '')
  return time === '' ? undefined : parseTime(text, { clock: time, clockDigits, dateForm, zone })
}

function problemOf(record: readonly Cell[], { timestamp = 0, clock }: Layout): string {
  const [date, time] = [record[timestamp] ?? '', clock === undefined ? '' : (record[clock] ?? '')]
  return date === '' ? 'timestamp is missing' : problemOfTime(`${date} ${time}`.trim())
}

/** Forms of dates that digits may have, by their number, which only a person knows. */
const hints: Readonly<Record<number, string>> = {
  5: '; --dates excel reads days of Excel',
  6: '; --dates ymd, dmy or mdy reads such dates',
  8: '; --dates dmy or mdy reads such dates',
}

export const problemOfTime = (text: string) =>
  `time is ${quoteCell(text)}, expected Unix seconds (or milli-, micro-, nanoseconds) or YYYY-MM-DD HH:MM:SS${
    hints[/^(\d+)(?:\.\d+)?$/.exec(text)?.[1]?.length ?? 0] ?? ''
  }`

/** Why numbers cannot be a candle of any market; undefined where they can. Prices of 0 and below are possible. */
export function contradiction(numbers: Numbers): string | undefined {
  if (numbers.high < numbers.low) return 'high is below low'
  if (numbers.volume < 0) return 'volume is negative'
  if (hasZeroForMissing(numbers)) return 'a price of 0 stands for a missing one: leave the row out'
  return undefined
}

/**
 * Whether a price of 0 stands for a missing one: no price is below 0, and all four are 0, or open or close lies outside of high and
 * low. The high must not be below the low.
 */
export function hasZeroForMissing(numbers: Numbers): boolean {
  const { open, high, low, close } = numbers
  if (Math.min(open, low, close) !== 0) return false
  return high === 0 || outOfRangePrice(numbers) !== undefined
}

/** Which price is outside of high and low, as on exchanges that take the previous close as the open; undefined for none. */
export function outOfRangePrice({ open, high, low, close }: Numbers): string | undefined {
  if (open > high) return 'open is above high'
  if (open < low) return 'open is below low'
  if (close > high) return 'close is above high'
  if (close < low) return 'close is below low'
  return undefined
}
