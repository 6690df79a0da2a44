import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import type { Candle } from '../../candles/candle.js'
import { type ColumnName, type Columns, columnNames } from '../../candles/columns.js'

/** A candle and the line of the file that it ends on, counted from 1. Its time may have fractions of a second. */
export interface Row {
  readonly line: number
  readonly candle: Candle
}

/** What is wrong with a line. */
export interface Fault {
  readonly line: number
  readonly text: string
}

/** What a file of candles says. */
export interface CsvReading {
  /** The candles in the order of the file, sound each by itself. */
  readonly rows: readonly Row[]
  /** One for each line that holds no sound candle, in the order of the file. */
  readonly faults: readonly Fault[]
  /** Whether every line was looked at; otherwise the last fault says why the others were not. */
  readonly isWhole: boolean
  /** What was taken for granted, in words for the person who imports. */
  readonly notes: readonly string[]
}

export interface CsvOptions {
  /** The market's symbol without a slash; tells the volume in the base currency from the one in the quote currency. */
  readonly symbol?: string
  /** Whether volumes of contracts are counted in the base currency where a file of Binance's gives both. */
  readonly isInverse?: boolean
}

/** Where the fields of a candle stand in a record. */
interface Layout {
  /** Whether the columns have names. */
  readonly isNamed: boolean
  readonly timestamp: number
  /** The time of day, where the date has a column of its own. */
  readonly clock: number | undefined
  /** Whether eight digits are a date. */
  readonly isDate: boolean
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number | undefined
}

/** Names of columns, the better one first; as they are when reduced to letters and digits. */
const spellings = {
  timestamp: [
    'opentime',
    'timeopen',
    'opentimestamp',
    'timestamp',
    'unix',
    'unixtime',
    'unixtimestamp',
    'epoch',
    'ts',
    't',
    'datetime',
    'time',
    'date',
  ],
  open: ['open', 'o', 'openprice', 'priceopen'],
  high: ['high', 'h', 'highprice', 'pricehigh'],
  low: ['low', 'l', 'lowprice', 'pricelow'],
  close: ['close', 'c', 'closeprice', 'priceclose'],
  volume: ['volumebase', 'basevolume', 'volbase', 'basevol', 'volume', 'vol', 'v', 'tickvolume', 'tickvol'],
} as const satisfies Record<ColumnName, readonly string[]>

/** `Open time (UTC)`, `open_time` and `<OPENTIME>` are one name. */
const reduced = (name: string) =>
  name
    .toLowerCase()
    .replace(/\((?:utc|gmt|ms|s|unix)\)/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/(?<=.)(?:utc|gmt)$/, '')

/** Columns of Binance's public files, which have come without a header for years. */
const binanceColumns = 12
const binanceVolume = { ofMarket: 5, inBase: 7 }

/** With so many faults a file is something else, and not read on. */
const mostFaults = 1000
/** Bytes that are looked at for the encoding and the separator of the columns. */
const peeked = 4096

/**
 * Reads candles from the bytes of a CSV file: UTF-8 or UTF-16, commas, semicolons or tabs, the usual names of columns
 * in any order, or no names where the columns are time, open, high, low, close and volume, as in the files of Binance
 * and Kraken. Times are Unix seconds, milli-, micro- or nanoseconds, or dates, in UTC unless they say otherwise.
 * Rejects only where reading `input` does.
 */
export async function readCsv(
  input: AsyncIterable<Uint8Array>,
  options: CsvOptions = {},
): Promise<CsvReading> {
  const rows: Row[] = []
  const faults: Fault[] = []
  const notes: string[] = []
  let isWhole = true
  let strays = 0
  const { head, text } = await peek(input)
  const parser = parse({
    delimiter: delimiterOf(head),
    info: true,
    max_record_size: 65_536,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  })
  // Its errors end the loop below, too; that it was cut short is none.
  const fed = Promise.allSettled([pipeline(text, parser)])

  let layout: Layout | undefined
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const { lines: line } = info
      if (layout === undefined) {
        // Some providers put a title or their address above the names.
        if (record.length === 1 && line < 5) continue
        const found = isNumbers(record) ? positional(record, options) : named(record, options)
        if (typeof found === 'string') {
          faults.push({ line, text: found })
          isWhole = false
          break
        }
        layout = found.layout
        notes.push(...found.notes)
        if (!found.isFirstRow) continue
      }
      const candle = candleOf(record, layout)
      const stray = typeof candle === 'string' ? undefined : outOfRangeOf(candle)
      // Where the columns have no names, that is rather a sign of another order.
      const fault = typeof candle === 'string' ? candle : layout.isNamed ? undefined : stray
      if (fault !== undefined) faults.push({ line, text: fault })
      else {
        rows.push({ line, candle: candle as Candle })
        if (stray) strays++
      }
      if (faults.length < mostFaults) continue
      isWhole = false
      break
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    faults.push({ line: Number(error.lines ?? parser.info.lines), text: wordsOf(error) })
    isWhole = false
  }
  await fed
  if (rows.length === 0 && faults.length === 0) faults.push({ line: 1, text: 'there are no candles' })
  if (strays > 0)
    notes.push(`open or close lies outside of high and low in ${strays} of ${rows.length} candles`)
  return { rows, faults, isWhole, notes }
}

interface Parsed {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

/** The beginning of a text and all of it, decoded as its byte order mark says. */
async function peek(
  input: AsyncIterable<Uint8Array>,
): Promise<{ head: string; text: AsyncIterable<string> }> {
  const iterator = input[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  for (let size = 0; size < peeked; ) {
    const { value, done } = await iterator.next()
    if (done) break
    chunks.push(value)
    size += value.length
  }
  const bytes = Buffer.concat(chunks)
  const mark = bytes.subarray(0, 2).toString('hex')
  const decoder = new TextDecoder(mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8')
  const head = decoder.decode(bytes, { stream: true })
  async function* text() {
    yield head
    for await (const chunk of { [Symbol.asyncIterator]: () => iterator })
      yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  }
  return { head, text: text() }
}

/** The first separator that one of the first lines has four of: a candle has at least five columns. */
function delimiterOf(head: string): string {
  const lines = head.split(/[\r\n]+/, 5)
  return ['\t', ';', ','].find(delimiter => lines.some(line => line.split(delimiter).length > 4)) ?? ','
}

function wordsOf(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'a quotation mark is not closed'
  if (error.code === 'CSV_MAX_RECORD_SIZE') return 'the line is too long for a file of candles'
  return 'the quotation marks are not as in a CSV file'
}

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** Whether a first line holds a candle instead of names. */
const isNumbers = (record: readonly string[]) =>
  record.length >= 5 && record.slice(1, 5).every(text => number.test(text))

interface Found {
  readonly layout: Layout
  readonly isFirstRow: boolean
  readonly notes: readonly string[]
}

/** The layout of a file without names. */
function positional(record: readonly string[], { isInverse }: CsvOptions): Found | string {
  if (typeof timeOf(record[0] as string, { isDate: true }) === 'string')
    return 'no names of columns: the first line must name them, such as timestamp,open,high,low,close,volume'
  const isBinance = record.length === binanceColumns
  const last = isBinance && isInverse ? binanceVolume.inBase : binanceVolume.ofMarket
  const volume = record.length > last ? last : undefined
  return {
    layout: {
      isNamed: false,
      timestamp: 0,
      clock: undefined,
      isDate: true,
      open: 1,
      high: 2,
      low: 3,
      close: 4,
      volume,
    },
    isFirstRow: true,
    notes: [
      isBinance
        ? "no names of columns, read as one of Binance's public files"
        : `no names of columns, read as time, open, high, low, close${volume === undefined ? '' : ', volume'}`,
      ...(volume === undefined ? [noVolume] : []),
    ],
  }
}

const noVolume = 'no volume, taken as 0'

/** The layout that the names of the columns say. */
function named(record: readonly string[], { symbol = '', isInverse }: CsvOptions): Found | string {
  const names = record.map(reduced)
  const base = (name: string) => {
    const currency = /^vol(?:ume)?(.+)$/.exec(name)?.[1]
    return currency !== undefined && symbol.toLowerCase().startsWith(currency)
  }
  let twice: string | undefined
  const find = (field: ColumnName): number | undefined => {
    const named = field === 'volume' ? names.findIndex(base) : -1
    if (named >= 0) return named
    const spelling = spellings[field].find(each => names.includes(each))
    if (spelling === undefined) return undefined
    const at = names.indexOf(spelling)
    if (names.lastIndexOf(spelling) !== at) twice = record[at]
    return at
  }
  const at = Object.fromEntries(columnNames.map(field => [field, find(field)]))
  const missing = columnNames.filter(field => at[field] === undefined && field !== 'volume')
  const shown = record.map(name => name.slice(0, 20)).join(', ')
  if (missing.length > 0)
    return `no column for ${missing.join(', ')}; the first line names ${shown.slice(0, 200)}`
  if (twice !== undefined) return `two columns are called ${twice}`

  const date = names.indexOf('date')
  const clock = names.indexOf('time')
  const isSplit = at.timestamp === clock && date >= 0
  const isBinance = record.length === binanceColumns && names[binanceVolume.inBase]?.startsWith('quote')
  return {
    layout: {
      isNamed: true,
      ...(at as Readonly<Record<ColumnName, number>>),
      timestamp: isSplit ? date : (at.timestamp as number),
      clock: isSplit ? clock : undefined,
      isDate: isSplit || at.timestamp === date,
      volume: isBinance && isInverse ? binanceVolume.inBase : at.volume,
    },
    isFirstRow: false,
    notes: at.volume === undefined ? [noVolume] : [],
  }
}

const quoted = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text)

/** The candle of a record, or what is wrong with it. */
function candleOf(record: readonly string[], layout: Layout): Candle | string {
  const values: Partial<Record<ColumnName, number>> = {}
  for (const field of columnNames) {
    const at = layout[field]
    if (at === undefined) {
      values[field] = 0
      continue
    }
    const text = record[at] ?? ''
    if (text === '') return `${field} is missing`
    if (field === 'timestamp') {
      const clock = layout.clock === undefined ? '' : (record[layout.clock] ?? '')
      const time = timeOf(text, { clock, isDate: layout.isDate })
      if (typeof time === 'string') return time
      values.timestamp = time
      continue
    }
    const value = number.test(text) ? Number(text) : Number.NaN
    if (!Number.isFinite(value)) return `${field} is ${quoted(text)}, expected a number`
    values[field] = value
  }
  const candle = values as Candle
  return faultOf(candle) ?? candle
}

/** What is wrong with a candle. */
function faultOf({ open, high, low, close, volume }: Candle): string | undefined {
  for (const [name, price] of Object.entries({ open, high, low, close })) {
    if (price <= 0) return `${name} is ${price}, expected a price above 0`
  }
  if (high < low) return 'high is below low'
  if (volume < 0) return 'volume is negative'
  return undefined
}

/** Which price lies outside of high and low, as on exchanges whose open is the close before. */
function outOfRangeOf({ open, high, low, close }: Candle): string | undefined {
  if (open > high) return 'open is above high'
  if (open < low) return 'open is below low'
  if (close > high) return 'close is above high'
  if (close < low) return 'close is below low'
  return undefined
}

/** The power of ten that makes seconds of a whole number of so many digits: none of them is before 1973 or after 5138. */
function unitOf(digits: number): number | undefined {
  if (digits <= 11) return 0
  if (digits <= 14) return 3
  if (digits <= 17) return 6
  return digits <= 20 ? 9 : undefined
}

const dated =
  /^(\d{4})([-/.])(\d\d)\2(\d\d)(?:(?:T|\s+)(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i

export interface TimeOptions {
  readonly clock?: string
  readonly isDate?: boolean
}

/** Unix seconds of a text, with what a column of its own says of the time of day; or what is wrong with it. */
export function timeOf(text: string, { clock = '', isDate = false }: TimeOptions = {}): number | string {
  const wrong = `time is ${quoted(clock === '' ? text : `${text} ${clock}`)}, expected Unix seconds (or milli-, micro-, nanoseconds) or YYYY-MM-DD HH:MM:SS`
  const isClock = /^\d\d:?\d\d(:?\d\d)?$/.test(clock)
  if (clock !== '' && !isClock) return timeOf(clock)

  const whole = /^(\d+)(?:\.0*)?$/.exec(text)?.[1]
  if (whole !== undefined && !isClock && !(isDate && whole.length === 8)) {
    const unit = unitOf(whole.length)
    if (unit === undefined) return wrong
    if (unit === 0) return Number(whole)
    return Number(whole.slice(0, -unit)) + Number(`0.${whole.slice(-unit)}`)
  }
  const day = text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
  const time = clock.replace(
    /^(\d\d)(\d\d)(\d\d)?$/,
    (_, hour, minute, second = '00') => `${hour}:${minute}:${second}`,
  )
  const match = dated.exec(`${day} ${time}`.trim())
  if (match === null) return wrong
  const [, year, , month, date, hour = '00', minute = '00', second = '00', fraction = '0', zone = 'Z'] = match
  const [y, mo, d, h, mi, s] = [year, month, date, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const moment = Date.UTC(y, mo - 1, d, h, mi, s)
  const written = new Date(moment).toISOString().slice(0, 19)
  if (written !== `${year}-${month}-${date}T${hour}:${minute}:${second}`) return wrong
  const ahead = /^([+-])(\d\d):?(\d\d)$/.exec(zone)
  const offset = ahead ? Number(`${ahead[1]}1`) * (Number(ahead[2]) * 3600 + Number(ahead[3]) * 60) : 0
  return moment / 1000 + Number(`0.${fraction}`) - offset
}

/** The lines of a CSV file with the candles `from` … `to` (not included), names of columns first; times in Unix seconds. */
export function* writeCsv(columns: Columns, from: number, to: number): Generator<string> {
  yield `${columnNames.join(',')}\n`
  // What a number prints as is the shortest text that reads as the same number.
  for (let at = from; at < to; at++) yield `${columnNames.map(name => columns[name][at]).join(',')}\n`
}
