import { type ColumnName, columnNames } from '../columns.js'
import { type Cell, type DecimalMark, decimalMarkOf, isNumber, parseNumber, quoteCell } from './cell.js'
import {
  firstNames,
  indexNames,
  normalize,
  quoteCurrencies,
  spellings,
  tickNames,
  volumeStudies,
} from './spellings.js'
import { type DateForm, isUnixTime, kindOf, parseTime, type Zone } from './time.js'

export interface CsvOptions {
  /** The symbol of the market without a slash; it shows which of two volumes is in the base currency. */
  readonly symbol?: string
  /** Whether contracts are settled in the base currency. Then that volume is taken from Binance's files, which have both. */
  readonly isInverse?: boolean
  /** The columns that the caller chose, by name or by number from 1; that of the time may be two with a plus. The others are found. */
  readonly columns?: Readonly<Partial<Record<ColumnName, string>>>
  /** What begins the decimals of numbers; found where it is not given. */
  readonly decimalMark?: DecimalMark | undefined
  /** Form of dates that can be read in several ways; found where it is not given. */
  readonly dateForm?: DateForm | undefined
  /** Zone of times that do not name theirs; UTC where it is not given. */
  readonly zone?: Zone | undefined
}

/** Why a file has no layout. */
export interface LayoutFault {
  readonly reason: string
  /** What a command can be given so that it has one. */
  readonly option?: string
  /** Whether further rows may decide. */
  readonly isOpen?: boolean
}

/** The fault of a table with rows or columns of more than one market. */
export const severalMarkets = (first: string, second: string): LayoutFault => ({
  reason: `candles of several markets, such as ${quoteCell(first)} and ${quoteCell(second)}`,
  option: '--symbol',
})
export type Row = readonly Cell[]
export type Columns = Partial<Record<ColumnName | 'clock' | 'symbol', number>>

/** The number of columns in Binance's public files. Some of these files have a header. */
export const binanceColumns = 12
const closeTimeAt = 6
/** The volume in the quote currency, which is the base currency of inverse contracts. */
const quoteVolumeAt = 7
/** The most columns that a file without names may have, unless it is one of Binance's: a seventh may be anything. */
const mostUnnamedColumns = 6
/** Candles that show the order of prices. Fewer may show another one by chance. */
const fewestForOrder = 3
export const prices = ['open', 'high', 'low', 'close'] as const
const nameAll = '--columns time=1,open=2,high=3,low=4,close=5,volume=<number>'

export const textsOf = (rows: readonly Row[], at: number | undefined): readonly string[] =>
  at === undefined ? [] : rows.map(row => String(row[at] ?? '').trim())

/** Whether a record is a candle, so that the table has no header: four numbers behind a time, or behind a date and a time of day. */
export const isCandleRecord = (record: Row): boolean =>
  areNumbers(record, 1) || (isClock(record[1]) && areNumbers(record, 2))

const areNumbers = (record: Row, from: number) =>
  record.length >= from + 4 && record.slice(from, from + 4).every(isNumber)

const isClock = (cell: Cell = '') => kindOf([String(cell)]) === 'clocks'

/** The names of the columns, and how many records they are in. */
export interface Header {
  readonly names: readonly string[]
  readonly records: number
}

const isTicker = (name = '') => /^(?:ticker|symbol)s?$/i.test(name)
const isBlank = (cells: readonly string[]) => cells.every(cell => cell === '')
/** The record with the name of a frame's index, below the names of its columns. */
const namesIndex = ([first = '', ...rest]: readonly string[] = []) =>
  /^date(?:time)?$/i.test(first) && isBlank(rest)
const hasPrices = (names: readonly string[]) => names.some(name => spellings.close.includes(normalize(name)))

/**
 * The header of a table whose first record names the columns. Frames have a second record with the market of each column, in either
 * order, and a record with the name of their index: of several markets, only the columns of `symbol` keep their names.
 */
export function readHeader(
  records: readonly (readonly string[])[],
  symbol: string | undefined,
): Header | LayoutFault {
  const [first = [], second = [], third = []] = records
  const hasLevels =
    second.length === first.length &&
    (isTicker(second[0]) ||
      isTicker(first[0]) ||
      (first[0] === '' && second[0] === '' && namesIndex(third))) &&
    (hasPrices(first) ? isText(second) : hasPrices(second) && isText(first))
  if (!hasLevels) return { names: first, records: namesIndex(second) ? 2 : 1 }
  const [names, markets] = hasPrices(first) ? [first, second] : [second, first]
  const count = namesIndex(third) ? 3 : 2
  const own = ownMarket(markets.slice(1), symbol)
  if (typeof own === 'object') return own
  const named = names.map((name, at) => (at === 0 || markets[at] === own ? name : ''))
  return { names: named, records: count }
}

const isText = (cells: readonly string[]) => cells.every(cell => !/^[\d.,+-]+$/.test(cell))

/** The market of columns that is wanted. */
function ownMarket(markets: readonly string[], symbol: string | undefined): string | LayoutFault {
  const names = [...new Set(markets.filter(name => name !== ''))]
  const [first = '', second] = names
  if (second === undefined) return first
  const wanted = names.find(name => symbol !== undefined && plainSymbol(name) === plainSymbol(symbol))
  if (wanted !== undefined) return wanted
  return severalMarkets(first, second)
}

/** A symbol without its exchange, without what stands between its currencies, and in capitals. */
export const plainSymbol = (text: string): string =>
  text
    .replace(/^.*:/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()

/** The columns of a table whose names are known. */
export function namedColumns(
  names: readonly string[],
  rows: readonly Row[],
  { symbol = '', isInverse }: CsvOptions,
  chosen: Columns,
): Columns | LayoutFault {
  const plainNames = names.map(normalize)
  const columns: Columns = {}
  for (const field of [...prices, 'volume', 'timestamp', 'date', 'clock', 'symbol'] as const) {
    const isTime = field === 'timestamp' || field === 'date' || field === 'clock'
    const own = isTime ? 'timestamp' : field
    if (chosen[own] !== undefined || columns[own] !== undefined) continue
    const spelling = spellings[field].find(each => plainNames.includes(each))
    if (spelling === undefined) continue
    const at = plainNames.indexOf(spelling)
    columns[own] = at
    const short = plainNames.indexOf(own[0] as string)
    if (spelling === own && short >= 0 && own !== 'symbol')
      return { reason: `both ${names[at]} and ${names[short]}`, option: `--columns ${own}=<name>` }
    if (plainNames.lastIndexOf(spelling) !== at && field !== 'symbol')
      return { reason: `two columns are called ${names[at]}`, option: `--columns ${own}=<number>` }
  }
  const index = plainNames.findIndex(
    (name, at) => indexNames.includes(name) || (at === 0 && firstNames.includes(name)),
  )
  if (columns.timestamp === undefined && chosen.timestamp === undefined && index >= 0)
    columns.timestamp = index
  if (chosen.volume !== undefined) return columns
  const symbols = [symbol, String(rows[0]?.[columns.symbol ?? -1] ?? '')].filter(each => each !== '')
  const volume = volumeOf({ names, plainNames, plain: columns.volume, symbols, rows })
  if (typeof volume === 'object') return volume
  const isBinance = names.length === binanceColumns && plainNames[quoteVolumeAt]?.startsWith('quote')
  const { volume: _, ...others } = columns
  return volume === undefined
    ? others
    : { ...others, volume: isBinance && isInverse ? quoteVolumeAt : volume }
}

/**
 * The time of day beside a column of days: a column that is called so, or the only one that has nothing else. A time of day is never
 * left out. Where the column that is called time has whole times, it is the time itself.
 */
export function clockOf(
  names: readonly string[] | undefined,
  rows: readonly Row[],
  columns: Columns,
): Pick<Columns, 'timestamp' | 'clock'> | LayoutFault {
  const { timestamp } = columns
  if (timestamp === undefined || columns.clock !== undefined || rows.length === 0) return {}
  const days = textsOf(rows, timestamp)
  const kind = kindOf(days)
  if (kind !== 'days' && !(kind === 'digits' && !days.some(isUnixTime))) return {}
  const plainNames = names?.map(normalize) ?? []
  const at = plainNames.findIndex((name, k) => k !== timestamp && spellings.clock.includes(name))
  const name = (k: number) => quoteCell(names?.[k] ?? String(k + 1))
  if (at >= 0) {
    const texts = textsOf(rows, at)
    const kindOfClock = kindOf(texts)
    if (kindOfClock === 'clocks' || kindOfClock === 'digits') return { clock: at }
    if (texts.every(text => text === '')) return {}
    if (texts.some(text => parseTime(text) !== undefined)) return { timestamp: at }
    const reason = `a column ${name(at)} beside the days of ${name(timestamp)} that has no times of day`
    return { reason, option: '--columns time=<name of the date>+<name of the time of day>' }
  }
  const taken = new Set(Object.values(columns))
  const width = Math.max(...rows.map(row => row.length))
  const clocks = Array.from({ length: width }, (_, k) => k).filter(
    k => !taken.has(k) && kindOf(textsOf(rows, k)) === 'clocks',
  )
  const [first, second] = clocks
  if (second === undefined) return first === undefined ? {} : { clock: first }
  return {
    reason: `times of day in ${name(first as number)} and ${name(second)} beside the days of ${name(timestamp)}`,
    option: `--columns time=${timestamp + 1}+<number>`,
  }
}

/** The columns of a table without names, by their order. */
export function unnamedColumns(
  rows: readonly Row[],
  { isInverse, decimalMark }: CsvOptions,
  chosen: Columns,
): Columns | LayoutFault {
  const [record = []] = rows
  const isSplit = !areNumbers(record, 1) || isDigitClock(rows)
  const offset = isSplit ? 2 : 1
  const time: Columns = isSplit ? { timestamp: 0, clock: 1 } : { timestamp: 0 }
  const isChosen = columnNames.every(field => chosen[field] !== undefined)
  if (isChosen) return {}
  if (
    chosen.timestamp === undefined &&
    !isExcelDay(record[0]) &&
    (['dmy', 'mdy'] as const).every(form => parseTime(String(record[0]), { dateForm: form }) === undefined)
  ) {
    const reason =
      'no names of columns: the first line must name them, such as timestamp,open,high,low,close,volume'
    return { reason, option: nameAll }
  }
  const columnsIn = (order: readonly ColumnName[]): Columns => ({
    ...time,
    ...Object.fromEntries(order.slice(0, record.length - offset).map((field, at) => [field, at + offset])),
  })
  if (record.length === binanceColumns && Number(record[closeTimeAt]) > Number(record[0])) {
    const columns = columnsIn(columnNames.slice(1))
    return isInverse ? { ...columns, volume: quoteVolumeAt } : columns
  }
  if (record.length > mostUnnamedColumns + offset - 1) {
    const reason = `no names of columns, and ${record.length} of them: the first line must name them`
    return { reason, option: nameAll }
  }
  const usual = columnsIn(columnNames.slice(1))
  // The exchange Coinbase has the prices in an order of its own.
  const coinbase = columnsIn(['low', 'high', 'open', 'close', 'volume'])
  const isCoinbase =
    rows.length >= fewestForOrder && !fits(rows, usual, decimalMark) && fits(rows, coinbase, decimalMark)
  return isCoinbase ? coinbase : usual
}

const isExcelDay = (cell: Cell = '') => /^\d{5}(?:\.\d+)?$/.test(String(cell))

/** Whether the second column of a table without names has times of day in digits behind days. */
function isDigitClock(rows: readonly Row[]): boolean {
  const clocks = textsOf(rows, 1)
  return (
    rows.every(row => areNumbers(row, 2)) &&
    kindOf(textsOf(rows, 0)) === 'days' &&
    clocks.every(
      text => /^\d{1,6}$/.test(text) && parseTime('20240101', { clockDigits: 6 }, text) !== undefined,
    ) &&
    clocks.some(text => text.length === 6)
  )
}

/** Whether no open or close lies outside of high and low where columns have this order. */
function fits(rows: readonly Row[], columns: Columns, given: DecimalMark | undefined): boolean {
  const found = decimalMarkOf([rows.flatMap(row => prices.map(field => row[columns[field] as number] ?? ''))])
  const mark = given ?? (typeof found === 'string' ? found : undefined)
  return rows.every(row => {
    const [open, high, low, close] = prices.map(field =>
      parseNumber(row[columns[field] as number] ?? '', mark),
    ) as [number, number, number, number]
    return !(low > Math.min(open, close) || high < Math.max(open, close))
  })
}

/** The columns that the caller chose, by their index. */
export function chosenColumns(
  names: readonly string[] | undefined,
  width: number,
  chosen: CsvOptions['columns'] = {},
): Columns | LayoutFault {
  const columns: Columns = {}
  const count = names?.length ?? width
  for (const field of columnNames) {
    const wanted = chosen[field]
    if (wanted === undefined) continue
    const indexOf = (name: string): number => {
      const at = names?.findIndex(each => normalize(each) === normalize(name)) ?? -1
      return at >= 0 ? at : /^\d+$/.test(name) && Number(name) <= count ? Number(name) - 1 : -1
    }
    const whole = indexOf(wanted)
    const parts = field === 'timestamp' && whole < 0 ? wanted.split('+').map(indexOf) : [whole]
    if (parts.length > 2 || parts.some(at => at < 0))
      return { reason: `there is no column ${quoteCell(wanted)} for ${field}` }
    columns[field] = parts[0] as number
    if (parts[1] !== undefined) columns.clock = parts[1]
  }
  return columns
}

interface VolumeColumns {
  /** The names of the columns as they are written, and in the form of `normalize`. */
  readonly names: readonly string[]
  readonly plainNames: readonly string[]
  /** The column that is called volume, if there is one. */
  readonly plain: number | undefined
  /** Names of the market. */
  readonly symbols: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/**
 * The column of the volume in the base currency, undefined where there is no volume. A column that is called volume comes before those
 * in a currency; `Volume MA` is a calculation over volumes.
 */
function volumeOf(table: VolumeColumns): number | undefined | LayoutFault {
  const { names, plainNames, plain, symbols, rows } = table
  if (plain !== undefined) {
    // MetaTrader 5 has the number of price changes where a broker knows no volume.
    const ticks = plainNames.findIndex(name => tickNames.includes(name))
    const isZero = rows.length > 0 && rows.every(row => parseNumber(row[plain] ?? '') === 0)
    return ticks >= 0 && isZero ? ticks : plain
  }
  const inCurrency = plainNames.flatMap((name, at) => {
    const currency = /^vol(?:ume)?(.+)$/.exec(name)?.[1]
    return currency === undefined || volumeStudies.includes(currency.replace(/(?<!\d)\d+$/, ''))
      ? []
      : [{ at, currency }]
  })
  const quotes = [...quoteCurrencies, ...inCurrency.map(({ currency }) => currency)]
  const markets = symbols.map(basesOf)
  const ofBase = inCurrency.find(({ currency }) => markets.some(isBase => isBase(currency, quotes)))
  if (ofBase) return ofBase.at
  const ofOther = inCurrency.filter(({ currency }) => !quoteCurrencies.includes(currency))
  const [first, second] = ofOther.length > 0 ? ofOther : inCurrency
  if (second === undefined) return first?.at
  const [one, other] = [first, second].map(each => quoteCell(names[each?.at as number] as string))
  return { reason: `two volumes: the volume may be ${one} or ${other}`, option: '--columns volume=<name>' }
}

/** Whether a currency is the base of a symbol: what stands before a slash, or before a known currency of quotes. */
function basesOf(symbol: string): (currency: string, quotes: readonly string[]) => boolean {
  const [base, quote] = symbol.replace(/^.*:/, '').split(/[/_-]/).map(normalize) as [string, string?]
  if (quote !== undefined) return currency => currency === base
  return (currency, quotes) =>
    base === currency || (base.startsWith(currency) && quotes.includes(base.slice(currency.length)))
}
