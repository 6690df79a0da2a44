import { type ColumnName, Columns, columnNames } from '../../candles/columns.js'
import { parseNumber } from '../../candles/csv/cell.js'
import { detectDelimiter } from '../../candles/csv/decoder.js'
import { detectLayout, type Layout, sampleSize } from '../../candles/csv/layout.js'
import { RecordFault, RecordReader, type TableRecord } from '../../candles/csv/records.js'
import { timeOfRecord } from '../../candles/csv/row.js'
import { parseTime } from '../../candles/csv/time.js'
import { inExpression } from '../../contract/expression-refusals.js'
import { noCandles, type Refusal } from '../../contract/refusals.js'
import { refuseCandles } from '../../contract/supplied-candles.js'
import {
  malformedTable,
  tableWithoutColumns,
  tooManyTableCandles,
  tooManyTableMarkets,
} from '../../contract/table-refusals.js'
import { maxMarkets } from '../../expression/limits.js'
import type { Steps } from '../../runtime/pieces.js'
import { ownMarket } from '../supplied.js'
import type { BodyTask } from '../workers/worker-task.js'
import { openArrow } from './arrow-reader.js'

/** Bytes of CSV that are read in one step: one to three milliseconds. */
const csvStepBytes = 4096
/** Rows of Arrow that are read in one step. */
const arrowStepRows = 4096

/**
 * Reads the candles of a body that is a table, in any order of columns and with their usual names, oldest first: of each market
 * that its column `with` names, and of `ownMarket`. The columns have room for these candles alone. The first fault is the refusal.
 */
export function* readCandlesTable({
  body,
  format,
  maxCandles,
}: BodyTask & { readonly kind: 'candles' }): Steps<ReadonlyMap<string, Columns> | Refusal> {
  const candles = new MarketCandles(maxCandles)
  const refused = yield* format === 'arrow' ? readArrowRows(body, candles) : readCsvRows(body, candles)
  return refused ?? candles.finish()
}

/** The reading of a row. */
interface Row {
  readonly market: string
  /** The value of a column; NaN where it is no number. */
  readonly readValue: (name: ColumnName) => number
}

/** Candles by market, as they are read. Memory grows with the rows that have come. */
class MarketCandles {
  readonly #maxCandles: number
  readonly #markets = new Map<string, GrowingColumns>()
  #count = 0

  constructor(maxCandles: number) {
    this.#maxCandles = maxCandles
  }

  /** Adds the candle of a row. Candles beyond the maximum are only counted. */
  add({ market, readValue }: Row): Refusal | undefined {
    if (++this.#count > this.#maxCandles) return undefined
    let candles = this.#markets.get(market)
    if (!candles) {
      // The market of the request is one more.
      if (this.#markets.size > maxMarkets) return tooManyTableMarkets(maxMarkets)
      candles = new GrowingColumns(this.#maxCandles)
      this.#markets.set(market, candles)
    }
    candles.add(readValue)
    return undefined
  }

  finish(): ReadonlyMap<string, Columns> | Refusal {
    if (this.#count > this.#maxCandles) return tooManyTableCandles(this.#maxCandles, this.#count)
    if (!this.#markets.has(ownMarket)) return noCandles()
    const found = new Map<string, Columns>()
    for (const [market, candles] of this.#markets) {
      const columns = candles.finish()
      const refusal = refuseCandles(columns, columns.capacity)
      if (refusal) return market === ownMarket ? refusal : inExpression(`with.${market}`, refusal)
      found.set(market, columns)
    }
    return found
  }
}

/** Columns of candles that are added one after the other, at most `maxCandles`. */
class GrowingColumns {
  readonly #maxCandles: number
  #columns = Columns.unshared(firstCapacity)
  #count = 0

  constructor(maxCandles: number) {
    this.#maxCandles = maxCandles
  }

  add(readValue: Row['readValue']): void {
    if (this.#count === this.#columns.capacity) {
      const larger = Columns.unshared(Math.min(2 * this.#count, Math.max(this.#maxCandles, firstCapacity)))
      this.#columns = this.#copyTo(larger)
    }
    for (const name of columnNames) this.#columns[name][this.#count] = readValue(name)
    this.#count++
  }

  /** Columns with room for these candles alone, which threads may share. */
  finish(): Columns {
    return this.#copyTo(new Columns(this.#count))
  }

  #copyTo(columns: Columns): Columns {
    for (const name of columnNames) columns[name].set(this.#columns[name].subarray(0, this.#count))
    return columns
  }
}

/** Candles for which columns have room at first. */
const firstCapacity = 64

const otherMarketAt = (names: readonly string[]) => names.findIndex(name => name.toLowerCase() === 'with')

function* readArrowRows(body: Uint8Array, candles: MarketCandles): Steps<Refusal | undefined> {
  try {
    // The memory of a body is shared, which not all readers of text take.
    const table = openArrow(new Uint8Array(body))
    const { names } = table
    const found = detectLayout(names, {})
    if ('reason' in found) return tableWithoutColumns(found.reason)
    const { layout } = found
    for (const batch of table.batches) {
      const columns = new Map(
        columnNames.map(name => [name, layout[name] === undefined ? undefined : batch.column(layout[name])]),
      )
      const other = batch.column(otherMarketAt(names))
      for (let row = 0; row < batch.rows; row++) {
        if (row % arrowStepRows === 0) yield
        const readValue = (name: ColumnName): number => {
          const at = layout[name]
          if (at === undefined) return 0
          const value = columns.get(name)?.(row)
          return name === 'timestamp' ? timeOf(value, table.isTime(at)) : numberOf(value)
        }
        const refusal = candles.add({ market: String(other?.(row) ?? ownMarket), readValue })
        if (refusal) return refusal
      }
    }
    return undefined
  } catch {
    return malformedTable('a stream of Apache Arrow with buffers that are not compressed')
  }
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

/** The Unix seconds of a value, which may be milliseconds. */
function timeOf(value: unknown, isMilliseconds: boolean): number {
  if (isMilliseconds) return numberOf(value) / 1000
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' ? (parseTime(text.trim()) ?? Number.NaN) : Number.NaN
}

function* readCsvRows(body: Uint8Array, candles: MarketCandles): Steps<Refusal | undefined> {
  // The memory of a body is shared, which not all readers of text take.
  const piece = (from: number) => Buffer.from(body.subarray(from, from + csvStepBytes))
  const reader = new RecordReader(detectDelimiter(piece(0).toString()))
  const rows = new CsvRows(candles)
  try {
    for (let from = 0; from < body.length; from += csvStepBytes) {
      const refusal = rows.addAll(reader.read(piece(from)))
      if (refusal) return refusal
      yield
    }
    return rows.addAll(reader.read(undefined)) ?? rows.finish()
  } catch (error) {
    if (!(error instanceof RecordFault)) throw error
    return malformedTable(`CSV: line ${error.line}: ${error.message}`)
  }
}

/** The layout of a table, and the index of the column that names other markets: -1 for none. */
interface Found {
  readonly layout: Layout
  readonly otherAt: number
}

/** Records of CSV as candles. The first records show where the values of a candle are. */
class CsvRows {
  readonly #candles: MarketCandles
  #shown: (readonly string[])[] = []
  #found: Found | undefined

  constructor(candles: MarketCandles) {
    this.#candles = candles
  }

  addAll(records: Iterable<TableRecord>): Refusal | undefined {
    for (const { record } of records) {
      if (record.length === 1 && record[0] === '') continue
      const refusal = this.#found ? this.#add(record) : this.#show(record)
      if (refusal) return refusal
    }
    return undefined
  }

  /** Adds what is left where there are few records. */
  finish(): Refusal | undefined {
    if (this.#found) return undefined
    return this.#shown.length === 0 ? noCandles() : this.#detect()
  }

  #show(record: readonly string[]): Refusal | undefined {
    return this.#shown.push(record) < sampleSize ? undefined : this.#detect()
  }

  #detect(): Refusal | undefined {
    const shown = this.#shown
    const [first = [], ...sample] = shown
    const detected = detectLayout(first, {}, sample)
    if ('reason' in detected) return tableWithoutColumns(detected.reason)
    const { layout } = detected
    this.#found = { layout, otherAt: otherMarketAt(first) }
    this.#shown = []
    for (const record of layout.hasHeader ? sample : shown) {
      const refusal = this.#add(record)
      if (refusal) return refusal
    }
    return undefined
  }

  #add(record: readonly string[]): Refusal | undefined {
    const { layout, otherAt } = this.#found as Found
    const readValue = (name: ColumnName): number => {
      if (name === 'timestamp') return timeOfRecord(record, layout) ?? Number.NaN
      const at = layout[name]
      return at === undefined ? 0 : parseNumber(record[at] ?? '', layout.decimalMark)
    }
    return this.#candles.add({ market: record[otherAt] ?? ownMarket, readValue })
  }
}
