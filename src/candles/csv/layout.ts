import { type ColumnName, columnNames } from '../columns.js'
import { type DecimalMark, decimalMarkOf, isNumber, quoteCell } from './cell.js'
import { maxColumns, maxNameLength } from './records.js'
import { normalize, quoteCurrencies, spellings, symbolNames } from './spellings.js'
import { type DateOrder, dateOrderOf, parseTime } from './time.js'

export interface CsvOptions {
  /** The symbol of the market without a slash; it shows which of two volumes is in the base currency. */
  readonly symbol?: string
  /** Whether contracts are settled in the base currency. Then that volume is taken from Binance's files, which have both. */
  readonly isInverse?: boolean
  /** The columns that the caller chose, by name or by number from 1. The others are found. */
  readonly columns?: Readonly<Partial<Record<ColumnName, string>>>
  /** What begins the decimals of numbers; found where it is not given. */
  readonly decimalMark?: DecimalMark | undefined
  /** What comes first in a date with slashes; found where it is not given. */
  readonly dateOrder?: DateOrder | undefined
  /** How far times without an offset of their own are ahead of UTC, in seconds. */
  readonly utcOffset?: number | undefined
}

/** At which index of a record each field of a candle is, and how its cells are written. */
export interface Layout {
  /** Whether the file has a header. */
  readonly hasHeader: boolean
  readonly timestamp: number
  /** The time of day, where the date has a column of its own. */
  readonly timeOfDay: number | undefined
  /** Whether eight digits in the timestamp's column are a date. */
  readonly isDate: boolean
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** Undefined where there is none: volumes are 0 then. */
  readonly volume: number | undefined
  /** The symbol of each row, where files may have rows of several markets. */
  readonly symbol: number | undefined
  readonly decimalMark: DecimalMark
  readonly dateOrder: DateOrder | undefined
  readonly utcOffset: number
}

/** Records of a file, its header among them, that show how its cells are written. */
export const sampleSize = 50

interface DetectedLayout {
  readonly layout: Layout
  /** Assumptions, to be shown to the user. */
  readonly notes: readonly string[]
}

/** Why a file has no layout. `option` is what a command can be given so that it has one. */
export interface LayoutFault {
  readonly reason: string
  readonly option?: string
}

/** The number of columns in Binance's public files. Some of these files have a header. */
const binanceColumns = 12
/** The volume in the quote currency, which is the base currency of inverse contracts. */
const quoteVolumeAt = 7
/** The most columns that a file without names may have, unless it is one of Binance's. Kraken's files have seven. */
const mostUnnamedColumns = 7

/** Candles that show the order of prices. Fewer may show another one by chance. */
const fewestForOrder = 3

const isCandle = (record: readonly string[], from = 1) =>
  record.length >= from + 4 && record.slice(from, from + 4).every(isNumber)

type Columns = Partial<Record<ColumnName, number>>

/** The columns of a record, and what the caller should know of how they were found. */
interface FoundColumns {
  readonly columns: Columns
  readonly timeOfDay?: number | undefined
  readonly isDate: boolean
  readonly symbol?: number | undefined
  readonly notes: readonly string[]
}

/**
 * The layout that the first record of a file shows, with up to some dozens of records behind it. The record is a header, or a candle
 * whose columns are in one of the usual orders.
 */
export function detectLayout(
  record: readonly string[],
  options: CsvOptions,
  sample: readonly (readonly string[])[] = [],
): DetectedLayout | LayoutFault {
  const oversize = oversizeOf(record)
  if (oversize !== undefined) return { reason: oversize }
  const isSplit = isSplitCandle(record)
  const hasHeader = !isSplit && !isCandle(record)
  const rows = hasHeader ? sample : [record, ...sample]
  const found = hasHeader ? named(record, options, rows) : unnamed(record, options, rows, isSplit)
  if ('reason' in found) return found
  const chosen = chosenColumns(record, options.columns, hasHeader)
  if ('reason' in chosen) return chosen
  const columns = { ...found.columns, ...chosen }
  const missing = columnNames.filter(field => columns[field] === undefined && field !== 'volume')
  if (missing.length > 0) {
    const shown = record.map(name => name.slice(0, 20)).join(', ')
    const reason = `no column for ${missing.join(', ')}; the first line names ${shown.slice(0, 200)}`
    return { reason, option: `--columns ${missing.map(field => `${field}=<name>`).join(',')}` }
  }
  const complete = columns as Readonly<Record<ColumnName, number>>
  const cells = (field: ColumnName) => rows.map(row => row[complete[field]] ?? '')
  const order = dateOrderOf(cells('timestamp'))
  if (order === 'both' && options.dateOrder === undefined) {
    const reason = `${quoteCell(cells('timestamp').find(cell => cell.includes('/')) ?? '')} may begin with the day or the month`
    return { reason, option: '--dates dmy or --dates mdy' }
  }
  const prices = columnNames.slice(1).flatMap(field => (columns[field] === undefined ? [] : cells(field)))
  const mark = decimalMarkOf(prices)
  if (mark === 'either' && options.decimalMark === undefined) {
    const reason = `the comma in ${quoteCell(prices.find(cell => cell.includes(',')) ?? '')} may begin decimals or separate thousands`
    return { reason, option: '--decimal comma or --decimal point' }
  }
  return {
    layout: {
      ...complete,
      hasHeader,
      timeOfDay: chosen.timestamp === undefined ? found.timeOfDay : undefined,
      isDate: found.isDate,
      volume: columns.volume,
      symbol: found.symbol,
      decimalMark: options.decimalMark ?? (mark === 'either' ? 'point' : mark),
      dateOrder: options.dateOrder ?? (order === 'none' || order === 'both' ? undefined : order),
      utcOffset: options.utcOffset ?? 0,
    },
    notes: [
      ...found.notes,
      ...(hasHeader ? readingOf(record, columns) : []),
      ...(columns.volume === undefined ? ['no volume, taken as 0'] : []),
    ],
  }
}

/** Which names of columns are too many or too long; undefined where none are. */
function oversizeOf(record: readonly string[]): string | undefined {
  if (record.length > maxColumns) return `${record.length} columns, at most ${maxColumns} are read`
  const long = record.find(name => name.length > maxNameLength)
  return long === undefined
    ? undefined
    : `a name of ${long.length} characters, ${quoteCell(long)}, at most ${maxNameLength} are read`
}

/** Whether a record begins with a date and a time of day, as in the files of MetaTrader 4, which have no header. */
const isSplitCandle = (record: readonly string[]) =>
  /^\d{4}[.-]\d\d[.-]\d\d$/.test(record[0] ?? '') &&
  /^\d\d:\d\d(:\d\d)?$/.test(record[1] ?? '') &&
  isCandle(record, 2)

/** The columns of a file whose first record names them. */
function named(
  record: readonly string[],
  { symbol = '', isInverse, columns: chosen = {} }: CsvOptions,
  rows: readonly (readonly string[])[],
): FoundColumns | LayoutFault {
  const names = record.map(normalize)
  const columns: Columns = {}
  for (const field of columnNames) {
    const spelling = spellings[field].find(each => names.includes(each))
    if (spelling === undefined || chosen[field] !== undefined) continue
    const at = names.indexOf(spelling)
    columns[field] = at
    if (names.lastIndexOf(spelling) !== at)
      return { reason: `two columns are called ${record[at]}`, option: `--columns ${field}=<number>` }
  }
  // The index of a frame has no name, or that of all columns, as in the files of yfinance.
  if (columns.timestamp === undefined && ['', 'price'].includes(names[0] as string)) columns.timestamp = 0
  const symbolAt = names.findIndex(name => symbolNames.includes(name))
  const [row = []] = rows
  const symbols = [symbol, symbolAt < 0 ? '' : (row[symbolAt] ?? '')]
  const volume =
    chosen.volume === undefined ? volumeOf(record, names, columns.volume, symbols, rows) : undefined
  if (typeof volume === 'object') return volume
  const isBinance = record.length === binanceColumns && names[quoteVolumeAt]?.startsWith('quote')
  const [date, time] = [names.indexOf('date'), names.indexOf('time')]
  const isSplit = columns.timestamp === time && date >= 0
  return {
    columns: {
      ...columns,
      ...(isSplit ? { timestamp: date } : {}),
      ...(volume === undefined ? {} : { volume: isBinance && isInverse ? quoteVolumeAt : volume }),
    },
    timeOfDay: isSplit ? time : undefined,
    isDate:
      isSplit || (columns.timestamp !== undefined && /^dat(e|um)$/.test(names[columns.timestamp] as string)),
    symbol: symbolAt < 0 ? undefined : symbolAt,
    notes: [],
  }
}

/** The column of the volume in the base currency, undefined where there is no volume. `symbols` are names of the market. */
function volumeOf(
  record: readonly string[],
  names: readonly string[],
  plain: number | undefined,
  symbols: readonly string[],
  rows: readonly (readonly string[])[],
): number | undefined | LayoutFault {
  const inCurrency = names.flatMap((name, at) => {
    const currency = /^vol(?:ume)?(.+)$/.exec(name)?.[1]
    return currency === undefined || name === 'volumen' ? [] : [{ at, currency }]
  })
  const markets = symbols.map(normalize)
  const ofBase = inCurrency.find(({ currency }) => markets.some(market => market.startsWith(currency)))
  if (ofBase) return ofBase.at
  if (plain !== undefined) {
    // MetaTrader 5 has the number of price changes where a broker knows no volume.
    const ticks = names.findIndex(name => name === 'tickvol' || name === 'tickvolume')
    const isZero = rows.length > 0 && rows.every(row => Number(row[plain]) === 0)
    return ticks >= 0 && isZero ? ticks : plain
  }
  const ofOther = inCurrency.filter(({ currency }) => !quoteCurrencies.includes(currency))
  const [first, second] = ofOther.length > 0 ? ofOther : inCurrency
  if (second === undefined) return first?.at
  const reason = `the volume may be ${quoteCell(record[first?.at as number] as string)} or ${quoteCell(record[second.at] as string)}`
  return { reason, option: '--columns volume=<name>' }
}

/** The columns of a file without names, by their order. */
function unnamed(
  record: readonly string[],
  { isInverse, columns: chosen = {} }: CsvOptions,
  rows: readonly (readonly string[])[],
  isSplit: boolean,
): FoundColumns | LayoutFault {
  const note = (order: readonly string[]) => [`no names of columns, read as ${order.join(', ')}`]
  if (isSplit) {
    const fields = columnNames.slice(1, record.length - 1)
    const columns = Object.fromEntries(fields.map((field, at) => [field, at + 2]))
    const notes = note(['date', 'time', ...fields])
    return { columns: { timestamp: 0, ...columns }, timeOfDay: 1, isDate: true, notes }
  }
  if (
    parseTime(record[0] as string, { isDate: true, dateOrder: 'dmy' }) === undefined &&
    chosen.timestamp === undefined
  ) {
    const reason =
      'no names of columns: the first line must name them, such as timestamp,open,high,low,close,volume'
    return { reason, option: '--columns timestamp=1,open=2,high=3,low=4,close=5,volume=6' }
  }
  if (record.length === binanceColumns) {
    const columns = Object.fromEntries(columnNames.map((field, at) => [field, at]))
    const notes = ["no names of columns, read as one of Binance's public files"]
    return { columns: isInverse ? { ...columns, volume: quoteVolumeAt } : columns, isDate: true, notes }
  }
  if (record.length > mostUnnamedColumns && columnNames.some(field => chosen[field] === undefined)) {
    const reason = `no names of columns, and ${record.length} of them: the first line must name them`
    return { reason, option: '--columns timestamp=1,open=2,high=3,low=4,close=5,volume=6' }
  }
  const usual = columnNames.slice(0, record.length)
  // The exchange Coinbase has the prices in an order of its own.
  const coinbase = ['timestamp', 'low', 'high', 'open', 'close', 'volume'].slice(0, record.length)
  const isCoinbase = rows.length >= fewestForOrder && !fits(rows, usual) && fits(rows, coinbase)
  const order = isCoinbase ? coinbase : usual
  const columns = Object.fromEntries(order.map((field, at) => [field, at]))
  return { columns, isDate: true, notes: note(order.map(field => (field === 'timestamp' ? 'time' : field))) }
}

/** Whether no open or close lies outside of high and low where columns have this order. */
function fits(rows: readonly (readonly string[])[], order: readonly string[]): boolean {
  const priceOf = (row: readonly string[], field: string) => Number(row[order.indexOf(field)])
  return rows.every(row => {
    const [open, close] = [priceOf(row, 'open'), priceOf(row, 'close')]
    return priceOf(row, 'low') <= Math.min(open, close) && priceOf(row, 'high') >= Math.max(open, close)
  })
}

/** The columns that the caller chose, by their index. */
function chosenColumns(
  record: readonly string[],
  chosen: CsvOptions['columns'] = {},
  hasHeader: boolean,
): Columns | LayoutFault {
  const columns: Columns = {}
  for (const field of columnNames) {
    const wanted = chosen[field]
    if (wanted === undefined) continue
    const named = hasHeader ? record.findIndex(name => normalize(name) === normalize(wanted)) : -1
    const at = named >= 0 ? named : /^\d+$/.test(wanted) ? Number(wanted) - 1 : -1
    if (at < 0 || at >= record.length)
      return { reason: `there is no column ${quoteCell(wanted)} for ${field}` }
    columns[field] = at
  }
  return columns
}

/** Names that say by themselves what they are taken for, in the form of `normalize`. */
const plainNames = {
  timestamp: /time|date|unix|epoch|^ts?$/,
  open: /^o(pen)?$/,
  high: /^h(igh)?$/,
  low: /^l(ow)?$/,
  close: /^c(lose)?$/,
  volume: /^v(ol(ume)?)?$/,
} as const satisfies Record<ColumnName, RegExp>

/** A note on what was taken for what, where a name does not say it by itself. */
function readingOf(record: readonly string[], columns: Columns): readonly string[] {
  const taken = columnNames.flatMap(field => {
    const at = columns[field]
    if (at === undefined || plainNames[field].test(normalize(record[at] as string))) return []
    return [`${field}: column ${at + 1} ${quoteCell(record[at] as string)}`]
  })
  return taken.length > 0 ? [taken.join(', ')] : []
}
