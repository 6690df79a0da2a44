import { type Cell, isNumber } from './cell.js'
import { readHeader } from './header.js'
import { type CsvOptions, detectLayout, isCandleRecord, type Layout } from './layout.js'
import type { LayoutFault } from './layout-fault.js'
import type { TableRecord } from './records.js'
import { contradiction, type Numbers, type Omission, outOfRangePrice, RowReader } from './row.js'

/** A line of a table: the numbers of a possible candle, or why there is none. */
export interface ReadLine {
  readonly line: number
  readonly candle: Numbers | string
  readonly hasHeader: boolean
  /** The symbol of the row as it is written, where the table has one for each. */
  readonly market?: string
}

/** A table that cannot be read by any layout, or only by one that the caller chooses. */
export class TableFault extends Error {
  constructor(
    readonly line: number,
    readonly fault: LayoutFault,
  ) {
    super(fault.reason)
  }
}

interface ReaderOptions extends CsvOptions {
  /** Whether the first record names the columns whatever it looks like. */
  readonly isNamed?: boolean
  /** Whether a table without any time has candles. */
  readonly mayLackTimes?: boolean
  /** Records that are shown at most where fewer do not decide between two layouts. */
  readonly mostShown?: number
  /** Takes assumptions and remarks that the caller should know of. */
  readonly onNote?: (text: string) => void
  /** Takes what is taken for what, once it is known. */
  readonly onExplanation?: (text: string) => void
}

/** Records that show the layout. */
export const shownRecords = 50
/** Records that are shown at most where fewer do not decide between two layouts. */
const mostShownRecords = 20_000
const maxTitleLine = 4
/** Rows of text, such as footers, that are left out. Further ones are mistakes. */
const mostTexts = 20

const kinds: readonly (readonly [Omission, string])[] = [
  ['withoutPrices', 'without prices'],
  ['empty', 'without values'],
  ['text', 'of text'],
  ['header', 'of names'],
]

/** Reads the candles of a table from its records, of which the first ones show where the fields of a candle are. */
export class CandleReader {
  readonly #options: ReaderOptions
  #shown: TableRecord[] = []
  #wanted = shownRecords
  #layout: Layout | undefined
  #rows: RowReader | undefined
  readonly #omitted: Record<Omission, number> = { empty: 0, text: 0, header: 0, withoutPrices: 0 }

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  /** The lines that can be read with one more record. Throws TableFault. */
  add(record: TableRecord): readonly ReadLine[] {
    if (this.#layout) return this.#read(record)
    // Some providers put a title or their address in the first lines, above the header.
    const isTitle = record.record.length === 1 || /^sep=/i.test(String(record.record[0]))
    if (this.#shown.length === 0 && isTitle && record.line <= maxTitleLine) return []
    return this.#shown.push(record) < this.#wanted ? [] : this.#show(false)
  }

  /** The lines that are left. Notes what was left out. Throws TableFault. */
  finish(): readonly ReadLine[] {
    const { onNote = () => {} } = this.#options
    const lines = this.#layout || this.#shown.length === 0 ? [] : this.#show(true)
    const count = (rows: number) => `${rows} ${rows === 1 ? 'row' : 'rows'}`
    for (const [kind, text] of kinds)
      if (this.#omitted[kind] > 0) onNote(`${count(this.#omitted[kind])} ${text} left out`)
    const withoutVolume = this.#rows?.withoutVolume ?? 0
    if (withoutVolume > 0) onNote(`no volume in ${count(withoutVolume)}, taken as 0`)
    return lines
  }

  #show(isEnd: boolean): readonly ReadLine[] {
    const shown = this.#shown
    const [first] = shown as [TableRecord]
    const isNamed = this.#options.isNamed || !isCandleRecord(first.record)
    const textsOf = ({ record }: TableRecord) => record.map(String)
    const header = isNamed ? readHeader(shown.slice(0, 3).map(textsOf), this.#options.symbol) : undefined
    if (header && 'reason' in header) throw new TableFault(first.line, header)
    const candles = shown.slice(header?.records ?? 0)
    const rows = candles.map(({ record }) => record).filter(hasPrices)
    if (rows.length === 0 && !isEnd && this.#readMore()) return []
    const { mayLackTimes = false } = this.#options
    const detected = detectLayout({ names: header?.names, rows, mayLackTimes }, this.#options)
    if ('reason' in detected) {
      if (detected.isOpen && !isEnd && this.#readMore()) return []
      throw new TableFault(first.line, detected)
    }
    this.#layout = detected.layout
    this.#rows = new RowReader(detected.layout, isNamed ? textsOf(first) : [])
    this.#shown = []
    const { onNote, onExplanation } = this.#options
    if (onNote) detected.notes.forEach(onNote)
    onExplanation?.(detected.explanation)
    return candles.flatMap(record => this.#read(record))
  }

  /** Whether more records can be shown. */
  #readMore(): boolean {
    this.#wanted = 2 * this.#shown.length
    return this.#wanted <= (this.#options.mostShown ?? mostShownRecords)
  }

  #read({ record, line, problem }: TableRecord): readonly ReadLine[] {
    const { hasHeader, symbol } = this.#layout as Layout
    if (problem !== undefined) return [{ line, candle: problem, hasHeader }]
    const candle = (this.#rows as RowReader).read(record)
    if (typeof candle === 'object' && 'omitted' in candle) {
      this.#omitted[candle.omitted]++
      if (candle.omitted !== 'text' || this.#omitted.text <= mostTexts) return []
      this.#omitted.text = mostTexts
      return [{ line, candle: 'there is no candle in this line', hasHeader }]
    }
    // Without names, a price that is out of range is rather a sign of columns in another order.
    const fault =
      typeof candle === 'string'
        ? undefined
        : (contradiction(candle) ?? (hasHeader ? undefined : outOfRangePrice(candle)))
    const found = { line, candle: fault ?? candle, hasHeader }
    return [symbol === undefined ? found : { ...found, market: String(record[symbol] ?? '') }]
  }
}

/** Whether a record can be a candle, and so shows how the others are written. */
const hasPrices = (record: readonly Cell[]) => record.filter(isNumber).length >= 4
