import type { Candle } from '../../candles/candle.js'
import { type ColumnName, Columns, columnNames } from '../../candles/columns.js'
import { openArrow } from '../../candles/files/arrow.js'
import {
  CandleReader,
  type ReadLine,
  shownRecords,
  TableFault,
  timeOfRecord,
} from '../../candles/files/candle-reader.js'
import { detectLayout } from '../../candles/files/layout.js'
import { type CsvOptions, severalMarkets } from '../../candles/files/roles.js'
import { CsvReader, detectDelimiter, LineFault, type TableRecord } from '../../candles/files/text.js'
import { inExpression } from '../../contract/expression-refusals.js'
import {
  malformedTable,
  noCandles,
  type Refusal,
  tableWithoutColumns,
  tooManyTableCandles,
  tooManyTableMarkets,
  wrongTableLine,
} from '../../contract/refusals.js'
import { refuseCandles } from '../../contract/supplied-candles.js'
import type { TableFormat } from '../../contract/table-format.js'
import type { Resumable } from '../../runtime/scheduler.js'
import { maxMarkets } from '../expressions/parser.js'
import { ownMarket } from '../supplied.js'

/**
 * A body that is a table, and the maximum number of its candles. `closesSuffice` allows tables without open, high and
 * low.
 */
interface TableBody {
  readonly body: Uint8Array
  readonly format: TableFormat
  readonly maxCandles: number
  readonly closesSuffice: boolean
}

/** Bytes of CSV per step: one to three milliseconds. */
const csvStepBytes = 4096
/** Maximum records of CSV used to decide between two layouts. */
const mostShownRecords = 400
const arrowStepRows = 4096

/**
 * Reads the candles of a table, with columns in any order and under their usual names, oldest first. The result has one
 * entry per market in the column `with`, and one for `ownMarket`. The columns have no spare capacity. The first fault
 * is the refusal.
 */
export function* readCandlesTable({
  body,
  format,
  maxCandles,
  closesSuffice,
}: TableBody): Resumable<ReadonlyMap<string, Columns> | Refusal> {
  const candles = new MarketCandles(maxCandles)
  const read = format === 'arrow' ? readArrowRows : readCsvRows
  const refused = yield* read(body, candles, { closesSuffice })
  return refused ?? candles.finish()
}

/** One row: its market, its symbol, and access to its values. */
interface Row {
  readonly market: string
  /** The symbol that the row names, if any. */
  readonly symbol: string | undefined
  /** Reads the value of a column; NaN if not a number. */
  readonly readValue: (name: ColumnName) => number
}

/** Candles per market while they are read. Memory grows with the number of rows. */
class MarketCandles {
  readonly #markets = new Map<string, GrowingColumns>()
  /** Symbol that the rows of a market name, per market. */
  readonly #symbols = new Map<string, string>()
  #count = 0

  constructor(private readonly maxCandles: number) {}

  /** Adds the candle of a row. Candles beyond the maximum are only counted. */
  add({ market, symbol, readValue }: Row): Refusal | undefined {
    const first = this.#symbols.get(market) ?? symbol
    if (first !== symbol) return tableWithoutColumns(severalMarkets(first ?? '', symbol ?? '').reason)
    if (first !== undefined) this.#symbols.set(market, first)
    if (++this.#count > this.maxCandles) return undefined
    let candles = this.#markets.get(market)
    if (!candles) {
      // One more market is allowed: that of the request.
      if (this.#markets.size > maxMarkets) return tooManyTableMarkets(maxMarkets)
      candles = new GrowingColumns(this.maxCandles)
      this.#markets.set(market, candles)
    }
    candles.add(readValue)
    return undefined
  }

  finish(): ReadonlyMap<string, Columns> | Refusal {
    if (this.#count > this.maxCandles) return tooManyTableCandles(this.maxCandles, this.#count)
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

/** Columns to which candles are added one by one, at most `maxCandles`. */
class GrowingColumns {
  #columns = Columns.unshared(firstCapacity)
  #count = 0

  constructor(private readonly maxCandles: number) {}

  add(readValue: Row['readValue']): void {
    if (this.#count === this.#columns.capacity) {
      const larger = Columns.unshared(Math.min(2 * this.#count, Math.max(this.maxCandles, firstCapacity)))
      this.#columns = this.#copyTo(larger)
    }
    for (const name of columnNames) this.#columns[name][this.#count] = readValue(name)
    this.#count++
  }

  /** Returns shareable columns without spare capacity. */
  finish(): Columns {
    return this.#copyTo(new Columns(this.#count))
  }

  #copyTo(columns: Columns): Columns {
    for (const name of columnNames) columns[name].set(this.#columns[name].subarray(0, this.#count))
    return columns
  }
}

/** Initial capacity of columns, in candles. */
const firstCapacity = 64

const otherMarketAt = (names: readonly string[]) => names.findIndex(name => name.toLowerCase() === 'with')

function* readArrowRows(
  body: Uint8Array,
  candles: MarketCandles,
  options: CsvOptions,
): Resumable<Refusal | undefined> {
  try {
    // The memory of a body is shared, which not all text decoders accept.
    const table = openArrow(new Uint8Array(body))
    const { names } = table
    let found = detectLayout({ names, rows: [] }, options)
    let isShown = false
    for (const batch of table.batches) {
      const columns = names.map((_, at) => batch.column(at))
      const recordOf = (row: number) => columns.map((column, at) => table.cellOf(at, column?.(row)))
      if (!isShown && batch.rows > 0) {
        const shown = Array.from({ length: Math.min(batch.rows, shownRecords) }, (_, row) => recordOf(row))
        found = detectLayout({ names, rows: shown }, options)
        isShown = true
      }
      if ('reason' in found) return tableWithoutColumns(found.reason)
      const { layout } = found
      const timeAt = layout.timestamp as number
      const isPlain = layout.clock === undefined && table.isTime(timeAt)
      const [other, symbol] = [columns[otherMarketAt(names)], columns[layout.symbol ?? -1]]
      for (let row = 0; row < batch.rows; row++) {
        if (row % arrowStepRows === 0) yield
        const readValue = (name: ColumnName): number => {
          if (name === 'timestamp')
            return isPlain
              ? numberOf(columns[timeAt]?.(row)) / 1000
              : (timeOfRecord(recordOf(row), layout) ?? Number.NaN)
          const at = layout[name]
          return at === undefined ? 0 : numberOf(columns[at]?.(row))
        }
        const named = { market: String(other?.(row) ?? ownMarket), symbol: symbol && String(symbol(row)) }
        const refusal = candles.add({ ...named, readValue })
        if (refusal) return refusal
      }
    }
    return 'reason' in found ? tableWithoutColumns(found.reason) : undefined
  } catch {
    return malformedTable('a stream of Apache Arrow with buffers that are not compressed')
  }
}

const numberOf = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : Number.NaN

function* readCsvRows(
  body: Uint8Array,
  candles: MarketCandles,
  options: CsvOptions,
): Resumable<Refusal | undefined> {
  const decoder = new TextDecoder()
  let reader: CsvReader | undefined
  const rows = new CsvRows(candles, options)
  try {
    for (let from = 0; from < body.length; from += csvStepBytes) {
      // The memory of a body is shared, which a decoder does not accept.
      const bytes = Buffer.from(body.subarray(from, from + csvStepBytes))
      const text = decoder.decode(bytes, { stream: true })
      reader ??= new CsvReader(detectDelimiter(text))
      reader.read(text, rows.add)
      if (rows.refusal) return rows.refusal
      yield
    }
    reader?.read(undefined, rows.add)
  } catch (error) {
    if (!(error instanceof LineFault)) throw error
    return rows.refusal ?? malformedTable(`CSV: line ${error.line}: ${error.message}`)
  }
  return rows.finish()
}

/** Reads records of CSV as candles. */
class CsvRows {
  readonly #reader: CandleReader
  /** The column that names other markets: -1 for none, undefined before the first record. */
  #otherAt: number | undefined
  /** Names of other markets per line, for rows that are not read yet. */
  readonly #others = new Map<number, string>()
  /** The refusal of the rows, if any. Later rows are not read. */
  refusal: Refusal | undefined

  constructor(
    private readonly candles: MarketCandles,
    options: CsvOptions,
  ) {
    this.#reader = new CandleReader({ ...options, mostShown: mostShownRecords })
  }

  readonly add = (each: TableRecord): void => {
    if (this.refusal) return
    const { record, line } = each
    this.#otherAt ??= otherMarketAt(record.map(String))
    const other = record[this.#otherAt]
    if (other !== undefined) this.#others.set(line, String(other))
    this.#run(() => this.#reader.add(each, this.#addLine))
  }

  /** Adds the remaining rows of a table with few records. */
  finish(): Refusal | undefined {
    if (this.#otherAt === undefined) return noCandles()
    if (!this.refusal) this.#run(() => this.#reader.finish(this.#addLine))
    return this.refusal
  }

  readonly #addLine = ({ line, candle, market: symbol }: ReadLine): void => {
    if (this.refusal) return
    if (typeof candle === 'string') {
      this.refusal = wrongTableLine(line, candle)
      return
    }
    const market = this.#others.get(line) ?? ownMarket
    this.#others.delete(line)
    const readValue = (name: ColumnName) => (candle as Candle)[name]
    this.refusal = this.candles.add({ market, symbol, readValue })
  }

  #run(read: () => void): void {
    try {
      read()
    } catch (error) {
      if (!(error instanceof TableFault)) throw error
      this.refusal ??= tableWithoutColumns(error.fault.reason)
    }
  }
}
