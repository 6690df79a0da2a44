import { type ColumnName, columnNames } from '../columns.js'
import { type Cell, type DecimalMark, decimalMarkOf, isNumber, parseNumber, quoteCell } from './cell.js'
import type { LayoutFault } from './layout-fault.js'
import { maxColumns, maxNameLength } from './records.js'
import { firstNames, indexNames, normalize, spellings } from './spellings.js'
import {
  type ClockDigits,
  clockDigitsOf,
  type DateForm,
  dateFormOf,
  dependsOnForm,
  isUnixTime,
  kindOf,
  namesZone,
  parseTime,
} from './time.js'
import { volumeOf } from './volume.js'
import type { Zone } from './zone.js'

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

/** At which index of a record each field of a candle is, and how its cells are written. */
export interface Layout {
  /** Whether the file has a header. */
  readonly hasHeader: boolean
  /** Undefined where candles have no times. */
  readonly timestamp: number | undefined
  /** The time of day, where the date has a column of its own. */
  readonly clock: number | undefined
  readonly clockDigits: ClockDigits | undefined
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** Undefined where there is none: volumes are 0 then. */
  readonly volume: number | undefined
  /** The symbol of each row, where files may have rows of several markets. */
  readonly symbol: number | undefined
  /** Undefined where the shown numbers have no separators. */
  readonly decimalMark: DecimalMark | undefined
  readonly dateForm: DateForm | undefined
  readonly zone: Zone
}

export interface DetectedLayout {
  readonly layout: Layout
  /** Assumptions, to be shown to the user. */
  readonly notes: readonly string[]
  /** What is taken for what, in one line. */
  readonly explanation: string
}

/** What shows the layout of a table. */
export interface Shown {
  /** Undefined where the first row is a candle. */
  readonly names: readonly string[] | undefined
  readonly rows: readonly (readonly Cell[])[]
  /** Whether a table without any time has candles: their time is their index then. */
  readonly mayLackTimes?: boolean
}

type Row = readonly Cell[]
type Columns = Partial<Record<ColumnName | 'clock' | 'symbol', number>>

/** The number of columns in Binance's public files. Some of these files have a header. */
const binanceColumns = 12
const closeTimeAt = 6
/** The volume in the quote currency, which is the base currency of inverse contracts. */
const quoteVolumeAt = 7
/** The most columns that a file without names may have, unless it is one of Binance's: a seventh may be anything. */
const mostUnnamedColumns = 6
/** Candles that show the order of prices. Fewer may show another one by chance. */
const fewestForOrder = 3
const prices = ['open', 'high', 'low', 'close'] as const
const nameAll = '--columns time=1,open=2,high=3,low=4,close=5,volume=<number>'

const textsOf = (rows: readonly Row[], at: number | undefined): readonly string[] =>
  at === undefined ? [] : rows.map(row => String(row[at] ?? '').trim())

/** Whether a record is a candle, so that the table has no header: four numbers behind a time, or behind a date and a time of day. */
export const isCandleRecord = (record: Row): boolean =>
  areNumbers(record, 1) || (isClock(record[1]) && areNumbers(record, 2))

const areNumbers = (record: Row, from: number) =>
  record.length >= from + 4 && record.slice(from, from + 4).every(isNumber)

const isClock = (cell: Cell = '') => kindOf([String(cell)]) === 'clocks'

/** The layout that the names of columns and the first rows of a table show. */
export function detectLayout(shown: Shown, options: CsvOptions): DetectedLayout | LayoutFault {
  const { names, rows, mayLackTimes = false } = shown
  const oversize = oversizeOf(names ?? [])
  if (oversize !== undefined) return { reason: oversize }
  const chosen = chosenColumns(names, rows[0]?.length ?? 0, options.columns)
  if ('reason' in chosen) return chosen
  const found = names ? named(names, rows, options, chosen) : unnamed(rows, options, chosen)
  if ('reason' in found) return found
  const clock = clockOf(names, rows, { ...found, ...chosen })
  if ('reason' in clock) return clock
  const columns: Columns = { ...found, ...chosen, ...clock }
  const missing = columnNames.filter(
    field => columns[field] === undefined && field !== 'volume' && !(field === 'timestamp' && mayLackTimes),
  )
  if (missing.length > 0) return noColumns(missing, names ?? [])
  const unread = columns.timestamp === undefined ? timeWithoutName(names ?? [], rows, columns) : undefined
  if (unread) return unread
  const forms = formsOf(rows, columns, options)
  if ('reason' in forms) return forms
  const layout = { ...emptyLayout, ...columns, ...forms, hasHeader: names !== undefined } as Layout
  const reading = readingOf(names, layout)
  return {
    layout,
    notes: [
      ...notesOf(names, layout, rows[0]?.length === binanceColumns),
      ...(layout.volume === undefined ? ['no volume, taken as 0'] : []),
    ],
    explanation: [...reading, ...explainForms(layout)].join(', '),
  }
}

/** Which names of columns are too many or too long; undefined where none are. */
function oversizeOf(names: readonly string[]): string | undefined {
  if (names.length > maxColumns) return `${names.length} columns, at most ${maxColumns} are read`
  const long = names.find(name => name.length > maxNameLength)
  return long === undefined
    ? undefined
    : `a name of ${long.length} characters, ${quoteCell(long)}, at most ${maxNameLength} are read`
}

const emptyLayout = {
  timestamp: undefined,
  clock: undefined,
  clockDigits: undefined,
  volume: undefined,
  symbol: undefined,
}

function noColumns(missing: readonly ColumnName[], names: readonly string[]): LayoutFault {
  const listed = names.map(name => name.slice(0, 20)).join(', ')
  return {
    reason: `no column for ${missing.join(', ')}; the first line names ${listed.slice(0, 200)}`,
    option: `--columns ${missing.map(field => `${field}=<name>`).join(',')}`,
  }
}

/** A column of times whose name is unknown, of a table that has no other time. */
function timeWithoutName(
  names: readonly string[],
  rows: readonly Row[],
  columns: Columns,
): LayoutFault | undefined {
  const taken = new Set(Object.values(columns))
  const at = names.findIndex((_, k) => {
    const texts = textsOf(rows, k).filter(text => text !== '')
    return (
      !taken.has(k) &&
      texts.length > 0 &&
      texts.every(text => parseTime(text, { dateForm: 'dmy' }) !== undefined)
    )
  })
  if (at < 0) return undefined
  const name = names[at] as string
  return {
    reason: `times in ${quoteCell(name)} and no column for timestamp`,
    option: `--columns time=${name}`,
  }
}

/** The columns of a table whose names are known. */
function named(
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
function clockOf(
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
function unnamed(
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
  const columnsOf = (order: readonly ColumnName[]): Columns => ({
    ...time,
    ...Object.fromEntries(order.slice(0, record.length - offset).map((field, at) => [field, at + offset])),
  })
  if (record.length === binanceColumns && Number(record[closeTimeAt]) > Number(record[0])) {
    const columns = columnsOf(columnNames.slice(1))
    return isInverse ? { ...columns, volume: quoteVolumeAt } : columns
  }
  if (record.length > mostUnnamedColumns + offset - 1) {
    const reason = `no names of columns, and ${record.length} of them: the first line must name them`
    return { reason, option: nameAll }
  }
  const usual = columnsOf(columnNames.slice(1))
  // The exchange Coinbase has the prices in an order of its own.
  const coinbase = columnsOf(['low', 'high', 'open', 'close', 'volume'])
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
      text => /^\d{1,6}$/.test(text) && parseTime('20240101', { clock: text, clockDigits: 6 }) !== undefined,
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
function chosenColumns(
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

/** How the cells of columns are written: what the shown rows have, or what the caller says of it. */
function formsOf(
  rows: readonly Row[],
  columns: Columns,
  options: CsvOptions,
): Pick<Layout, 'decimalMark' | 'dateForm' | 'zone' | 'clockDigits'> | LayoutFault {
  const times = textsOf(rows, columns.timestamp).filter(text => text !== '')
  const clocks = textsOf(rows, columns.clock).filter(text => text !== '')
  const { dateForm, zone } = options
  const notApplicable = (option: string, why: string): LayoutFault => ({
    reason: `${why}, so that ${option} does not apply`,
  })
  const found = dateFormOf(times)
  if (typeof found === 'object' && dateForm === undefined)
    return {
      reason: `dates such as ${quoteCell(found.unclear)}, which may begin with the day or the month`,
      option: '--dates dmy or --dates mdy',
      isOpen: true,
    }
  if (dateForm !== undefined && times.length > 0 && !times.some(text => dependsOnForm(text, dateForm)))
    return notApplicable(`--dates ${dateForm}`, `times such as ${quoteCell(times[0] as string)}`)
  const isLocal =
    dateForm === 'excel' ||
    times.some((text, at) => !isUnixTime(text) && !namesZone(`${text} ${clocks[at] ?? ''}`.trim()))
  if (zone !== undefined && times.length > 0 && !isLocal)
    return notApplicable(
      '--utc-offset',
      `times such as ${quoteCell(times[0] as string)} with an offset of their own`,
    )
  const clockDigits = kindOf(clocks) === 'digits' ? clockDigitsOf(clocks) : undefined
  if (clockDigits === 'unclear')
    return {
      reason: `times of day such as ${quoteCell(clocks.find(text => text !== '0') ?? '')}, which may be HHMM or HHMMSS: write them as HH:MM`,
      isOpen: true,
    }
  const mark = markOf(rows, columns, options)
  if (typeof mark === 'object') return mark
  return {
    decimalMark: mark,
    dateForm: dateForm ?? (typeof found === 'string' ? found : undefined),
    zone: zone ?? 0,
    clockDigits,
  }
}

function markOf(
  rows: readonly Row[],
  columns: Columns,
  { decimalMark }: CsvOptions,
): DecimalMark | undefined | LayoutFault {
  const cellsOf = (fields: readonly ColumnName[]): readonly Cell[] =>
    fields.flatMap(field =>
      columns[field] === undefined ? [] : rows.map(row => row[columns[field] as number] ?? ''),
    )
  const groups = [cellsOf(prices), cellsOf(['volume'])]
  if (decimalMark !== undefined) {
    const isText = groups[0]?.length === 0 || groups[0]?.some(cell => typeof cell === 'string')
    return isText ? decimalMark : { reason: 'numbers and not texts, so that --decimal does not apply' }
  }
  const found = decimalMarkOf(groups)
  if (typeof found !== 'object') return found
  const sign = found.unclear.includes(',') ? 'comma' : 'point'
  return {
    reason: `numbers such as ${quoteCell(found.unclear)}, whose ${sign} may begin decimals or separate thousands`,
    option: '--decimal comma or --decimal point',
    isOpen: true,
  }
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

/** What is taken for what: for each field its column. */
function readingOf(names: readonly string[] | undefined, layout: Layout, isPlain = false): readonly string[] {
  const show = (at: number) =>
    names ? `column ${at + 1} ${quoteCell(names[at] as string)}` : `column ${at + 1}`
  return columnNames.flatMap(field => {
    const at = layout[field]
    if (at === undefined) return []
    const clock = field === 'timestamp' ? layout.clock : undefined
    const shown = clock === undefined ? [at] : [at, clock]
    if (isPlain && shown.every(each => plainNames[field].test(normalize(names?.[each] ?? '')))) return []
    return [`${field}: ${shown.map(show).join(' and ')}`]
  })
}

/** A note on what was taken for what, where a name does not say it by itself. */
function notesOf(
  names: readonly string[] | undefined,
  layout: Layout,
  isBinance: boolean,
): readonly string[] {
  if (names) {
    const taken = readingOf(names, layout, true)
    return taken.length > 0 ? [taken.join(', ')] : []
  }
  if (isBinance) return ["no names of columns, read as one of Binance's public files"]
  const fields = [...columnNames, 'clock' as const].flatMap(field => {
    const at = layout[field]
    const name =
      field === 'clock' || (field === 'timestamp' && layout.clock === undefined)
        ? 'time'
        : field === 'timestamp'
          ? 'date'
          : field
    return at === undefined ? [] : [{ at, name }]
  })
  const order = fields.sort((a, b) => a.at - b.at).map(({ name }) => name)
  return [`no names of columns, read as ${order.join(', ')}`]
}

const dateForms: Readonly<Record<DateForm, string>> = {
  dmy: 'dates begin with the day',
  mdy: 'dates begin with the month',
  ymd: 'dates begin with the year',
  excel: 'dates are days of Excel',
}

const explainForms = ({ dateForm, zone, decimalMark, timestamp }: Layout): readonly string[] => [
  ...(dateForm ? [dateForms[dateForm]] : []),
  ...(timestamp === undefined
    ? ['no times']
    : [`times without a zone are in ${zone === 0 ? 'UTC' : zoneText(zone)}`]),
  ...(decimalMark === 'comma' ? ['decimals begin with a comma'] : []),
]

function zoneText(zone: Zone): string {
  if (typeof zone === 'string') return zone
  const minutes = Math.abs(zone) / 60
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0')
  return `UTC${zone < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}
