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
  /** Symbol of the market without a slash. It shows which of two volumes is in the base currency. */
  readonly symbol?: string
  /** Whether contracts are settled in the base currency. Of the two volumes in Binance's files, that volume is then used. */
  readonly isInverse?: boolean
  /**
   * Columns that the caller chose, by name or by number from 1. The time may be two columns joined by a plus. Others are
   * detected.
   */
  readonly columns?: Readonly<Partial<Record<ColumnName, string>>>
  /** Character that begins the decimals of numbers. Default: detected. */
  readonly decimalMark?: DecimalMark | undefined
  /** Form of ambiguous dates. Default: detected. */
  readonly dateForm?: DateForm | undefined
  /** Zone of times without their own zone. Default: UTC. */
  readonly zone?: Zone | undefined
  /** Whether the close stands for the other prices of a table that has none of them. */
  readonly closesSuffice?: boolean | undefined
}

/** Reason why no layout was found for a file. */
export interface LayoutFault {
  readonly reason: string
  /** Option of a command that resolves the fault. */
  readonly option?: string
  /** Whether further rows may decide. */
  readonly isOpen?: boolean
}

/** Fault of a table with rows or columns of more than one market. */
export const severalMarkets = (first: string, second: string): LayoutFault => ({
  reason: `candles of several markets, such as ${quoteCell(first)} and ${quoteCell(second)}`,
  option: '--symbol',
})
export type Row = readonly Cell[]
export type Columns = Partial<Record<ColumnName | 'clock' | 'symbol', number>>

/** Number of columns in Binance's public files. Some of these files have a header. */
export const binanceColumns = 12
const closeTimeAt = 6
/** Index of the volume in the quote currency, which is the base currency of inverse contracts. */
const quoteVolumeAt = 7
/** Maximum number of columns of a file without names, except Binance's files. The meaning of a seventh column is unknown. */
const mostUnnamedColumns = 6
/** Minimum number of candles that show the order of prices. Fewer candles may fit another order by chance. */
const fewestForOrder = 3
export const prices = ['open', 'high', 'low', 'close'] as const
const nameAll = '--columns time=1,open=2,high=3,low=4,close=5,volume=<number>'

export const textsOf = (rows: readonly Row[], at: number | undefined): readonly string[] =>
  at === undefined ? [] : rows.map(row => String(row[at] ?? '').trim())

/** Whether a record is a candle: four numbers after a time, or after a date and a time of day. The table then has no header. */
export const isCandleRecord = (record: Row): boolean =>
  areNumbers(record, 1) || (isClock(record[1]) && areNumbers(record, 2))

const areNumbers = (record: Row, from: number) =>
  record.length >= from + 4 && record.slice(from, from + 4).every(isNumber)

const isClock = (cell: Cell = '') => kindOf([String(cell)]) === 'clocks'

/** Names of the columns, and the number of records of the header. */
export interface Header {
  readonly names: readonly string[]
  readonly records: number
}

const isTicker = (name = '') => /^(?:ticker|symbol)s?$/i.test(name)
const isBlank = (cells: readonly string[]) => cells.every(cell => cell === '')
/** Whether a record has only the name of a data frame's index. It follows the names of the columns. */
const namesIndex = ([first = '', ...rest]: readonly string[] = []) =>
  /^date(?:time)?$/i.test(first) && isBlank(rest)
const hasPrices = (names: readonly string[]) => names.some(name => spellings.close.includes(normalize(name)))

/**
 * Reads the header of a table whose first record names the columns. Data frames may have a second record with the market of each
 * column, in either order, and a record with the name of their index. If there are several markets, only the columns of `symbol`
 * keep their names.
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

/** Selects the market of `symbol`, or the only market, from the markets of columns. */
function ownMarket(markets: readonly string[], symbol: string | undefined): string | LayoutFault {
  const names = [...new Set(markets.filter(name => name !== ''))]
  const [first = '', second] = names
  if (second === undefined) return first
  const wanted = names.find(name => symbol !== undefined && plainSymbol(name) === plainSymbol(symbol))
  if (wanted !== undefined) return wanted
  return severalMarkets(first, second)
}

/** Symbol in capitals, without its exchange and without separators. */
export const plainSymbol = (text: string): string =>
  text
    .replace(/^.*:/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()

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
 * Finds the column of the time of day next to a column of days. It has a matching name, or is the only column of times of day. A
 * time of day is never ignored. If the column with a matching name has complete times, it is the time itself.
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

/** Determines the columns of a table without names, by their order. */
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
  // Coinbase has prices in another order.
  const coinbase = columnsIn(['low', 'high', 'open', 'close', 'volume'])
  const isCoinbase =
    rows.length >= fewestForOrder && !fits(rows, usual, decimalMark) && fits(rows, coinbase, decimalMark)
  return isCoinbase ? coinbase : usual
}

const isExcelDay = (cell: Cell = '') => /^\d{5}(?:\.\d+)?$/.test(String(cell))

/** Whether the first column of a table without names has days, and the second one times of day in digits. */
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

/** Whether no open or close lies outside of high and low if the columns have this order. */
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

/** Indices of the columns that the caller chose. */
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
  /** Names of the columns in their original spelling; `plainNames` has them in the form of `normalize`. */
  readonly names: readonly string[]
  readonly plainNames: readonly string[]
  /** Column that is called volume, if there is one. */
  readonly plain: number | undefined
  /** Names of the market. */
  readonly symbols: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/**
 * Finds the column of the volume in the base currency; undefined if there is no volume. A column that is called volume is
 * preferred to volumes in a named currency. `Volume MA` is a calculation over volumes, so it is ignored.
 */
function volumeOf(table: VolumeColumns): number | undefined | LayoutFault {
  const { names, plainNames, plain, symbols, rows } = table
  if (plain !== undefined) {
    // MetaTrader 5 has the number of price changes if a broker provides no volume.
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

/** Creates a test for the base currency of a symbol: the part before a separator, or before a known quote currency. */
function basesOf(symbol: string): (currency: string, quotes: readonly string[]) => boolean {
  const [base, quote] = symbol.replace(/^.*:/, '').split(/[/_-]/).map(normalize) as [string, string?]
  if (quote !== undefined) return currency => currency === base
  return (currency, quotes) =>
    base === currency || (base.startsWith(currency) && quotes.includes(base.slice(currency.length)))
}
