import type { Candle } from '../candle.js'
import { formatCount } from '../format-count.js'
import {
  type Cell,
  type DecimalMark,
  isMissing,
  isNumber,
  markOfCell,
  parseNumber,
  quoteCell,
  TimeCell,
} from './cell.js'
import { detectLayout, type Layout } from './layout.js'
import { type CsvOptions, isCandleRecord, type LayoutFault, readHeader } from './roles.js'
import type { TableRecord } from './text.js'
import { parseTime, TimeReader } from './time.js'

/** A candle that may lack a time. */
export type Numbers = Omit<Candle, 'timestamp'> & { readonly timestamp?: number }

/** A line of a table: the numbers of a possible candle, or the reason why there is no candle. */
export interface ReadLine {
  readonly line: number
  readonly candle: Numbers | string
  readonly hasHeader: boolean
  /** Symbol of the row in its original spelling, if the table has a column of symbols. */
  readonly market?: string
}

/** Error for a table that no layout fits, or whose layout the caller must choose. */
export class TableFault extends Error {
  constructor(
    readonly line: number,
    readonly fault: LayoutFault,
  ) {
    super(fault.reason)
  }
}

export interface ReaderOptions extends CsvOptions {
  /** Whether the first record names the columns, whatever its contents. */
  readonly isNamed?: boolean
  readonly mayLackTimes?: boolean
  /** Maximum number of records for the detection of the layout, if fewer records are ambiguous. */
  readonly mostShown?: number
  /** Called with assumptions and remarks for the user. */
  readonly onNote?: (text: string) => void
  /** Called with the assignment of columns to fields, once it is known. */
  readonly onExplanation?: (text: string) => void
}

/** Number of records for the first detection of the layout. */
export const shownRecords = 50
/** Default maximum number of records for the detection, if fewer records are ambiguous. */
const mostShownRecords = 20_000
const maxTitleLine = 4
/** Maximum number of omitted rows of text, such as footers. Further rows of text are problems. */
const mostTexts = 20

/** Reasons why a row is omitted without a problem. `withoutPrices` is a day without trade. */
const omissions = {
  withoutPrices: 'without prices',
  empty: 'without values',
  text: 'of text',
  header: 'of names',
} as const
type Omission = keyof typeof omissions

/** Reads the candles of a table from its records. The first records show which column has which field. */
export class CandleReader {
  #shown: TableRecord[] = []
  #wanted = shownRecords
  #layout: Layout | undefined
  #rows: RowReader | undefined
  readonly #omitted: Record<Omission, number> = { empty: 0, text: 0, header: 0, withoutPrices: 0 }

  constructor(private readonly options: ReaderOptions) {}

  /** Adds a record, and passes the lines that can be read now to `take`. Throws TableFault. */
  add(record: TableRecord, take: (line: ReadLine) => void): void {
    if (this.#layout) {
      this.#read(record, take)
      return
    }
    // Some providers write a title or their address in the first lines, above the header.
    const isTitle = record.record.length === 1 || /^sep=/i.test(String(record.record[0]))
    if (this.#shown.length === 0 && isTitle && record.line <= maxTitleLine) return
    if (this.#shown.push(record) >= this.#wanted) this.#show(false, take)
  }

  /** Passes the remaining lines to `take`, and notes the omitted rows. Throws TableFault. */
  finish(take: (line: ReadLine) => void): void {
    const { onNote = () => {} } = this.options
    if (!this.#layout && this.#shown.length > 0) this.#show(true, take)
    for (const [kind, text] of Object.entries(omissions) as [Omission, string][])
      if (this.#omitted[kind] > 0) onNote(`${formatCount(this.#omitted[kind], 'row')} ${text} left out`)
    const withoutVolume = this.#rows?.withoutVolume ?? 0
    if (withoutVolume > 0) onNote(`no volume in ${formatCount(withoutVolume, 'row')}, taken as 0`)
  }

  #show(isEnd: boolean, take: (line: ReadLine) => void): void {
    const shown = this.#shown
    const [first] = shown as [TableRecord]
    const isNamed = this.options.isNamed || !isCandleRecord(first.record)
    const textsOf = ({ record }: TableRecord) => record.map(String)
    const header = isNamed ? readHeader(shown.slice(0, 3).map(textsOf), this.options.symbol) : undefined
    if (header && 'reason' in header) throw new TableFault(first.line, header)
    const candles = shown.slice(header?.records ?? 0)
    const rows = candles.map(({ record }) => record).filter(hasPrices)
    if (rows.length === 0 && !isEnd && this.#readMore()) return
    const { mayLackTimes = false } = this.options
    const detected = detectLayout({ names: header?.names, rows, mayLackTimes }, this.options)
    if ('reason' in detected) {
      if (detected.isOpen && !isEnd && this.#readMore()) return
      throw new TableFault(first.line, detected)
    }
    this.#layout = detected.layout
    this.#rows = new RowReader(detected.layout, isNamed ? textsOf(first) : [])
    this.#shown = []
    const { onNote, onExplanation } = this.options
    if (onNote) detected.notes.forEach(onNote)
    onExplanation?.(detected.explanation)
    for (const record of candles) this.#read(record, take)
  }

  /** Doubles the number of records for the detection. Returns whether that is within the limit. */
  #readMore(): boolean {
    this.#wanted = 2 * this.#shown.length
    return this.#wanted <= (this.options.mostShown ?? mostShownRecords)
  }

  #read({ record, line, problem }: TableRecord, take: (line: ReadLine) => void): void {
    const { hasHeader, symbol } = this.#layout as Layout
    const found = problem ?? (this.#rows as RowReader).read(record)
    let candle = typeof found === 'string' && found in omissions ? this.#omit(found as Omission) : found
    if (candle === undefined) return
    // Without column names, a price out of range more likely means that the columns have another order.
    if (typeof candle === 'object')
      candle = contradiction(candle) ?? (hasHeader ? undefined : outOfRangePrice(candle)) ?? candle
    take(
      symbol === undefined
        ? { line, candle, hasHeader }
        : { line, candle, hasHeader, market: String(record[symbol] ?? '') },
    )
  }

  /** Counts an omitted row. Returns a problem if the row must not be omitted. */
  #omit(kind: Omission): string | undefined {
    if (kind === 'text' && this.#omitted.text === mostTexts) return 'there is no candle in this line'
    this.#omitted[kind]++
    return undefined
  }
}

/** Whether a record can be a candle, so that it shows the format of the other records. */
const hasPrices = (record: readonly Cell[]) => record.filter(isNumber).length >= 4

const prices = ['open', 'high', 'low', 'close'] as const

/** Reads the rows of a table by its layout. */
class RowReader {
  readonly #times: TimeReader
  #mark: DecimalMark | undefined
  /** Number of rows without a volume. Their volume is 0. */
  withoutVolume = 0

  /** `header` is the record with the column names, which may be repeated in the table; empty if there is none. */
  constructor(
    private readonly layout: Layout,
    private readonly header: readonly string[],
  ) {
    this.#mark = layout.decimalMark
    this.#times = new TimeReader(layout)
  }

  /** Reads a record: the numbers of a candle, which may be impossible; a kind of omission; or a problem. */
  read(record: readonly Cell[]): Numbers | Omission | string {
    const layout = this.layout
    let timestamp: number | undefined
    if (layout.timestamp !== undefined) {
      timestamp = timeOfRecord(record, layout, this.#times)
      if (timestamp === undefined) return this.#omissionOf(record) ?? problemOf(record, layout)
    }
    const open = this.#number(record[layout.open])
    const high = this.#number(record[layout.high])
    const low = this.#number(record[layout.low])
    const close = this.#number(record[layout.close])
    // A sum is finite if all of its parts are finite, except for prices near the largest number.
    if (!Number.isFinite(open + high + low + close)) {
      const values = [open, high, low, close]
      const wrong = prices.find((_, at) => !Number.isFinite(values[at]))
      if (wrong !== undefined) return this.#omissionOf(record) ?? this.#problem(wrong, record[layout[wrong]])
    }
    const volume = this.#volumeOf(record)
    if (typeof volume === 'string') return volume
    return timestamp === undefined
      ? { open, high, low, close, volume }
      : { timestamp, open, high, low, close, volume }
  }

  #volumeOf(record: readonly Cell[]): number | string {
    const { volume } = this.layout
    if (volume === undefined) return 0
    const cell = record[volume]
    const value = this.#number(cell)
    if (Number.isFinite(value)) return value
    // Currencies and indices may have no volume. A row that ends before the volume is truncated.
    if (cell === undefined || !isMissing(cell)) return this.#problem('volume', cell)
    this.withoutVolume++
    return 0
  }

  #number(cell: Cell = ''): number {
    if (typeof cell === 'number') return cell
    if (this.#mark !== undefined || cell instanceof TimeCell) return parseNumber(cell, this.#mark)
    if (/^\d{1,15}$/.test(cell)) return Number(cell)
    const mark = markOfCell(cell)
    if (mark === 'either') return Number.NaN
    this.#mark = mark
    return parseNumber(cell, mark)
  }

  #problem(field: string, cell: Cell = ''): string {
    if (cell === '') return `${field} is missing`
    const shown = quoteCell(String(cell))
    if (this.#mark === undefined && markOfCell(cell) === 'either')
      return `${field} is ${shown}, which may have decimals or thousands (add --decimal comma or --decimal point)`
    return `${field} is ${shown}, expected a number`
  }

  #omissionOf(record: readonly Cell[]): Omission | undefined {
    const { timestamp = 0 } = this.layout
    if (record.every(cell => cell === '')) return 'empty'
    if (record.length === this.header.length && record.every((cell, at) => cell === this.header[at]))
      return 'header'
    const cells = prices.map(price => record[this.layout[price]])
    const isTime = timeOfRecord(record, this.layout) !== undefined
    if (cells.every(cell => isMissing(cell ?? '')) && (isTime || cells.every(cell => cell !== undefined)))
      return 'withoutPrices'
    const isText = /^[^\d]*\p{L}/u.test(String(record[timestamp] ?? ''))
    const hasNumber = cells.some(cell => cell !== undefined && !Number.isNaN(parseNumber(cell)))
    return isText && !isTime && !hasNumber ? 'text' : undefined
  }
}

/** Time of a record in Unix seconds; undefined if it cannot be read. */
export function timeOfRecord(
  record: readonly Cell[],
  layout: Layout,
  times?: TimeReader,
): number | undefined {
  const { timestamp, clock } = layout
  const cell = timestamp === undefined ? '' : (record[timestamp] ?? '')
  if (clock === undefined)
    return cell instanceof TimeCell
      ? cell.unixTime(layout.zone)
      : times
        ? times.read(String(cell))
        : parseTime(String(cell), layout)
  const time = String(record[clock] ?? '')
  return time === '' ? undefined : parseTime(String(cell), layout, time)
}

function problemOf(record: readonly Cell[], { timestamp = 0, clock }: Layout): string {
  const [date, time] = [record[timestamp] ?? '', clock === undefined ? '' : (record[clock] ?? '')]
  return date === '' ? 'timestamp is missing' : problemOfTime(`${date} ${time}`.trim())
}

/** Hints about date forms, by number of digits. Only the user knows the form of such dates. */
const hints: Readonly<Record<number, string>> = {
  5: '; --dates excel reads days of Excel',
  6: '; --dates ymd, dmy or mdy reads such dates',
  8: '; --dates dmy or mdy reads such dates',
}

const problemOfTime = (text: string) =>
  `time is ${quoteCell(text)}, expected Unix seconds (or milli-, micro-, nanoseconds) or YYYY-MM-DD HH:MM:SS${
    hints[/^(\d+)(?:\.\d+)?$/.exec(text)?.[1]?.length ?? 0] ?? ''
  }`

/** Reason why numbers cannot be a candle of any market; undefined if they can. Prices of 0 and below are possible. */
function contradiction(numbers: Numbers): string | undefined {
  if (numbers.high < numbers.low) return 'high is below low'
  if (numbers.volume < 0) return 'volume is negative'
  if (hasZeroForMissing(numbers)) return 'a price of 0 stands for a missing one: leave the row out'
  return undefined
}

/**
 * Whether a price of 0 stands for a missing price. That is so if no price is below 0, and either all four are 0, or open or close
 * lies outside of high and low. The high must not be below the low.
 */
export function hasZeroForMissing(numbers: Numbers): boolean {
  const { open, high, low, close } = numbers
  if (Math.min(open, low, close) !== 0) return false
  return high === 0 || outOfRangePrice(numbers) !== undefined
}

/** Describes a price outside of high and low; undefined if there is none. Some exchanges use the previous close as the open. */
export function outOfRangePrice({ open, high, low, close }: Numbers): string | undefined {
  if (open > high) return 'open is above high'
  if (open < low) return 'open is below low'
  if (close > high) return 'close is above high'
  if (close < low) return 'close is below low'
  return undefined
}
