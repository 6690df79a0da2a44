import { type ColumnName, columnNames } from '../columns.js'
import { type Cell, type DecimalMark, decimalMarkOf, quoteCell } from './cell.js'
import {
  binanceColumns,
  type Columns,
  type CsvOptions,
  chosenColumns,
  clockOf,
  type LayoutFault,
  namedColumns,
  prices,
  type Row,
  textsOf,
  unnamedColumns,
} from './roles.js'
import { normalize } from './spellings.js'
import { maxColumns, maxNameLength } from './text.js'
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
  type Zone,
} from './time.js'

/** Layout of a table: the index of each field of a candle in a record, and the format of the cells. */
export interface Layout {
  readonly hasHeader: boolean
  /** Undefined if candles have no times. */
  readonly timestamp: number | undefined
  /** Column of the time of day, if it is separate from the date. */
  readonly clock: number | undefined
  readonly clockDigits: ClockDigits | undefined
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** Undefined if there is no volume. Volumes are then 0. */
  readonly volume: number | undefined
  /** Column of symbols, if files may have rows of several markets. */
  readonly symbol: number | undefined
  /** Undefined if the examined numbers have no separators. */
  readonly decimalMark: DecimalMark | undefined
  readonly dateForm: DateForm | undefined
  readonly zone: Zone
}

export interface DetectedLayout {
  readonly layout: Layout
  /** Assumptions to show to the user. */
  readonly notes: readonly string[]
  /** Assignment of columns to fields, in one line. */
  readonly explanation: string
}

/** Input of the detection of a layout. */
export interface Shown {
  /** Names of the columns; undefined if the first row is a candle. */
  readonly names: readonly string[] | undefined
  readonly rows: readonly (readonly Cell[])[]
  /** Whether candles may lack times. Their time is then their index. */
  readonly mayLackTimes?: boolean
}

/** Detects the layout of a table from the names of its columns and its first rows. */
export function detectLayout(shown: Shown, options: CsvOptions): DetectedLayout | LayoutFault {
  const { names, rows, mayLackTimes = false } = shown
  const oversize = oversizeOf(names ?? [])
  if (oversize !== undefined) return { reason: oversize }
  const chosen = chosenColumns(names, rows[0]?.length ?? 0, options.columns)
  if ('reason' in chosen) return chosen
  const found = names ? namedColumns(names, rows, options, chosen) : unnamedColumns(rows, options, chosen)
  if ('reason' in found) return found
  const clock = clockOf(names, rows, { ...found, ...chosen })
  if ('reason' in clock) return clock
  const columns: Columns = { ...found, ...chosen, ...clock }
  const { close } = columns
  const isOfCloses =
    options.closesSuffice && close !== undefined && otherPrices.every(price => columns[price] === undefined)
  if (isOfCloses) for (const price of otherPrices) columns[price] = close
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
      ...(isOfCloses ? ['only closes, taken as open, high and low'] : []),
      ...(layout.volume === undefined ? ['no volume, taken as 0'] : []),
    ],
    explanation: [...reading, ...explainForms(layout)].join(', '),
  }
}

const otherPrices = ['open', 'high', 'low'] as const

/** Describes too many or too long names of columns; undefined if the names are within the limits. */
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

/** Fault of a table whose only column of times has an unknown name; undefined if there is no such column. */
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

/** Format of the cells of columns, from the examined rows or the options of the caller. */
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

/** Self-explanatory names of fields, in the form of `normalize`. */
const plainNames = {
  timestamp: /time|date|unix|epoch|^ts?$/,
  open: /^o(pen)?$/,
  high: /^h(igh)?$/,
  low: /^l(ow)?$/,
  close: /^c(lose)?$/,
  volume: /^v(ol(ume)?)?$/,
} as const satisfies Record<ColumnName, RegExp>

/** Texts of the assignment of columns to fields. With `isPlain`, leaves out self-explanatory names. */
function readingOf(names: readonly string[] | undefined, layout: Layout, isPlain = false): readonly string[] {
  const show = (at: number) =>
    names ? `column ${at + 1} ${quoteCell(names[at] as string)}` : `column ${at + 1}`
  return columnNames.flatMap(field => {
    const at = layout[field]
    if (at === undefined || (field !== 'close' && at === layout.close)) return []
    const clock = field === 'timestamp' ? layout.clock : undefined
    const shown = clock === undefined ? [at] : [at, clock]
    if (isPlain && shown.every(each => plainNames[field].test(normalize(names?.[each] ?? '')))) return []
    return [`${field}: ${shown.map(show).join(' and ')}`]
  })
}

/** Note on the assignment of columns, unless all names are self-explanatory. */
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
