import { type ColumnName, columnNames } from '../columns.js'
import { isNumber, parseTime } from './cell.js'

export interface CsvOptions {
  /** The symbol of the market without a slash; it shows which of two volumes is in the base currency. */
  readonly symbol?: string
  /** Whether contracts are settled in the base currency. Then that volume is taken from Binance's files, which have both. */
  readonly isInverse?: boolean
}

/** At which index of a record each field of a candle is. */
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
}

interface DetectedLayout {
  readonly layout: Layout
  /** Assumptions, to be shown to the user. */
  readonly notes: readonly string[]
}

/** Names of columns, preferred ones first, in the form of `normalize`. */
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

/** `Open time (UTC)`, `open_time` and `<OPENTIME>` are the same name. */
const normalize = (name: string) =>
  name
    .toLowerCase()
    .replace(/\((?:utc|gmt|ms|s|unix)\)/g, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/(?<=.)(?:utc|gmt)$/, '')

/** The number of columns in Binance's public files. Some of these files have a header. */
const binanceColumns = 12
/** The volume in the quote currency, which is the base currency of inverse contracts. */
const quoteVolumeAt = 7

const isCandle = (record: readonly string[]) => record.length >= 5 && record.slice(1, 5).every(isNumber)

/**
 * The layout that the first record of a file shows. The record is a header, or a candle whose columns are in the usual order.
 * A string is the reason why there is no layout.
 */
export function detectLayout(
  record: readonly string[],
  { symbol = '', isInverse }: CsvOptions,
): DetectedLayout | string {
  const hasHeader = !isCandle(record)
  if (!hasHeader && parseTime(record[0] as string, { isDate: true }) === undefined)
    return 'no names of columns: the first line must name them, such as timestamp,open,high,low,close,volume'
  const names = hasHeader ? record.map(normalize) : columnNames.slice(0, record.length)
  const { columns, duplicate } = findColumns(names, symbol)
  const missing = columnNames.filter(field => columns[field] === undefined && field !== 'volume')
  if (missing.length > 0) {
    const shown = record.map(name => name.slice(0, 20)).join(', ')
    return `no column for ${missing.join(', ')}; the first line names ${shown.slice(0, 200)}`
  }
  if (duplicate !== undefined) return `two columns are called ${record[duplicate]}`
  const found = columns as Readonly<Record<ColumnName, number>>
  const [date, time] = [names.indexOf('date'), names.indexOf('time')]
  const isSplit = found.timestamp === time && date >= 0
  const isBinance =
    record.length === binanceColumns && (!hasHeader || names[quoteVolumeAt]?.startsWith('quote'))
  const volume = isBinance && isInverse ? quoteVolumeAt : columns.volume
  const readAs = isBinance
    ? "as one of Binance's public files"
    : `as time, open, high, low, close${volume === undefined ? '' : ', volume'}`
  return {
    layout: {
      ...found,
      hasHeader,
      timestamp: isSplit ? date : found.timestamp,
      timeOfDay: isSplit ? time : undefined,
      isDate: !hasHeader || isSplit || found.timestamp === date,
      volume,
    },
    notes: [
      ...(hasHeader ? [] : [`no names of columns, read ${readAs}`]),
      ...(volume === undefined ? ['no volume, taken as 0'] : []),
    ],
  }
}

/** The index of each field's column, as far as there is one, and of a column whose name another column has, too. */
function findColumns(names: readonly string[], symbol: string) {
  const columns: Partial<Record<ColumnName, number>> = {}
  const baseVolume = names.findIndex(name => isBaseVolume(name, symbol))
  let duplicate: number | undefined
  for (const field of columnNames) {
    if (field === 'volume' && baseVolume >= 0) {
      columns.volume = baseVolume
      continue
    }
    const spelling = spellings[field].find(each => names.includes(each))
    if (spelling === undefined) continue
    const at = names.indexOf(spelling)
    columns[field] = at
    if (names.lastIndexOf(spelling) !== at) duplicate = at
  }
  return { columns, duplicate }
}

/** Whether a column is named after the base currency, as `Volume BTC` is for BTCUSDT. */
function isBaseVolume(name: string, symbol: string): boolean {
  const currency = /^vol(?:ume)?(.+)$/.exec(name)?.[1]
  return currency !== undefined && symbol.toLowerCase().startsWith(currency)
}
