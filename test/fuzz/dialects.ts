import { Readable } from 'node:stream'
import type { Candle } from '../../src/candles/candle.js'
import type { DecimalMark } from '../../src/candles/files/cell.js'
import { readRows } from '../../src/candles/files/read.js'
import type { CsvOptions } from '../../src/candles/files/roles.js'
import type { DateForm } from '../../src/candles/files/time.js'
import type { Draw } from './draw.js'

/** Names of the date, the time of day, the prices and the volume in six languages. */
const languages = [
  ['Date', 'Time', 'Open', 'High', 'Low', 'Close', 'Volume'],
  ['Datum', 'Uhrzeit', 'Eröffnung', 'Hoch', 'Tief', 'Schluss', 'Volumen'],
  ['Date', 'Heure', 'Ouv.', 'Plus Haut', 'Plus Bas', 'Clôture', 'Vol.'],
  ['Fecha', 'Hora', 'Apertura', 'Máximo', 'Mínimo', 'Cierre', 'Volumen'],
  ['Data', 'Ora', 'Apertura', 'Massimo', 'Minimo', 'Chiusura', 'Volume'],
  ['Data', 'Hora', 'Abertura', 'Máxima', 'Mínima', 'Fechamento', 'Vol.'],
] as const

const two = (number: number) => String(number).padStart(2, '0')

/**
 * Writes a time as one text, or as a date and a time of day.
 * The UTC fields of `at` are the local time; `unix` is the Unix time.
 */
type WriteTime = (at: Date, unix: number) => readonly [string] | readonly [string, string]

interface TimeForm {
  readonly write: WriteTime
  /** The form that a person would name. */
  readonly form?: DateForm
  /** Whether the text names its time in UTC. */
  readonly isAbsolute?: boolean
  readonly isDaily?: boolean
}

const day = (at: Date, order: 'dmy' | 'mdy' | 'ymd', mark: string, yearDigits: 2 | 4 = 4) => {
  const [y, m, d] = [
    String(at.getUTCFullYear()).slice(-yearDigits),
    two(at.getUTCMonth() + 1),
    two(at.getUTCDate()),
  ]
  return { dmy: [d, m, y], mdy: [m, d, y], ymd: [y, m, d] }[order].join(mark)
}
const clock = (at: Date, mark = ':') =>
  [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two).join(mark)
const halfDay = (at: Date) =>
  `${at.getUTCHours() % 12 || 12}:${two(at.getUTCMinutes())} ${at.getUTCHours() < 12 ? 'AM' : 'PM'}`

const timeForms: readonly TimeForm[] = [
  ...[0, 3, 6, 9].map(zeros => ({
    write: (_: Date, unix: number) => [`${unix}${'0'.repeat(zeros)}`] as const,
    isAbsolute: true,
  })),
  { write: (_, unix) => [new Date(unix * 1000).toISOString()], isAbsolute: true },
  {
    write: (_, unix) => [new Date(unix * 1000).toISOString().replace('T', ' ').replace('.000Z', '+00')],
    isAbsolute: true,
  },
  { write: at => [`${day(at, 'ymd', '-')} ${clock(at)}`] },
  { write: at => [`${day(at, 'ymd', '')} ${clock(at, '')}`] },
  { write: at => [`${day(at, 'ymd', '')}${clock(at, '')}`] },
  { write: at => [`${day(at, 'ymd', '')}${clock(at, '').slice(0, 4)}`] },
  { write: at => [day(at, 'ymd', ''), clock(at, '')] },
  { write: at => [day(at, 'ymd', '-'), String(Number(clock(at, '')))] },
  { write: at => [day(at, 'ymd', '/'), clock(at).slice(0, 5)] },
  { write: at => [day(at, 'ymd', '')], isDaily: true },
  { write: at => [day(at, 'ymd', '-')], isDaily: true },
  { write: at => [`${at.getTime() / 86_400_000 + 25_569}`], form: 'excel' },
  ...(['dmy', 'mdy'] as const).flatMap(form =>
    ['/', '-', '.'].flatMap((mark): TimeForm[] => [
      { write: at => [`${day(at, form, mark)} ${clock(at)}`], form },
      { write: at => [day(at, form, mark), halfDay(at)], form },
      { write: at => [day(at, form, mark, 2), clock(at)], form },
      { write: at => [day(at, form, mark)], form, isDaily: true },
    ]),
  ),
  { write: at => [day(at, 'ymd', '', 2)], form: 'ymd', isDaily: true },
]

const offsets = [0, 3600, -18_000, 19_800] as const
const zones = [...offsets, 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata'] as const

/** The local time of a zone at a Unix time, as a time of UTC. */
function localTime(unix: number, zone: (typeof zones)[number]): Date {
  if (typeof zone === 'number') return new Date((unix + zone) * 1000)
  const text = new Date(unix * 1000).toLocaleString('sv-SE', { timeZone: zone })
  return new Date(`${text.replace(' ', 'T')}Z`)
}

/** A number in one of the usual ways of writing it. */
function writeNumber(
  value: number,
  mark: DecimalMark,
  thousands: string,
  decimals: number | undefined,
): string {
  const text = decimals === undefined ? String(value) : value.toFixed(decimals)
  const [whole = '', fraction] = text.split('.')
  const grouped = thousands === '' ? whole : whole.replace(/\B(?=(\d{3})+$)/g, thousands)
  return fraction === undefined ? grouped : `${grouped}${mark === 'comma' ? ',' : '.'}${fraction}`
}

interface Written {
  readonly text: string
  readonly options: CsvOptions
  readonly candles: readonly Candle[]
}

/** Random candles in a random dialect, with the options that a person who knows the dialect gives, or some of them. */
export function writeDialect(draw: Draw): Written {
  const names = draw.pick(languages)
  const mark: DecimalMark = draw.pick(['point', 'comma'])
  const thousands = draw.pick(['', '', mark === 'comma' ? '.' : ',', "'", ' '])
  const separator = draw.pick([',', ';', '\t'])
  const decimals = draw.pick([undefined, 0, 2, 3, 5])
  const unit = draw.pick([1, 1, 1000])
  const form = draw.pick(timeForms)
  const zone = form.isAbsolute ? 0 : form.isDaily ? draw.pick(offsets) : draw.pick(zones)
  const step = form.isDaily ? 86_400 : draw.pick([60, 300, 3600, 86_400])
  const count = draw.pick([1, 3, 10, 60])
  const scale = draw.pick([0.01, 1, 100, 20_000])
  const start = Math.floor((631_238_400 + draw.below(1_100_000_000)) / 86_400) * 86_400
  // Also of spreads, whose prices are around 0 or below.
  const least = draw.pick([1, 1, 1, -0.5, -3])
  const price = () =>
    Number((scale * (least + draw.number())).toFixed(decimals ?? 6)) || (least === 1 ? 1 : 0)
  const candles: Candle[] = []
  const rows: string[] = []
  const hasVolume = draw.chance(0.8)
  for (let k = 0; k < count; k++) {
    const local = new Date((start + k * step) * 1000)
    // Days of a zone begin at its midnight.
    const timestamp = form.isDaily && typeof zone === 'number' ? start + k * step - zone : start + k * step
    const [a, b, open, close] = [price(), price(), price(), price()]
    const [high, low] = [Math.max(a, b, open, close), Math.min(a, b, open, close)]
    const volume = hasVolume ? draw.below(5000) * unit : 0
    const at = form.isDaily ? local : localTime(timestamp, zone)
    candles.push({ timestamp, open, high, low, close, volume })
    const number = (value: number) => writeNumber(value, mark, thousands, decimals)
    const size = unit === 1000 ? `${volume / unit}K` : writeNumber(volume, mark, thousands, undefined)
    const cells = [
      ...form.write(at, timestamp),
      ...[open, high, low, close].map(number),
      ...(hasVolume ? [size] : []),
    ]
    rows.push(cells.map(cell => (cell.includes(separator) ? `"${cell}"` : cell)).join(separator))
  }
  const hasClock = form.write(new Date(0), 0).length === 2
  const [date, time, ...fields] = names
  const header = [date, ...(hasClock ? [time] : []), ...(hasVolume ? fields : fields.slice(0, 4))]
  if (draw.chance(0.3)) rows.reverse()
  const lines = [...(draw.chance(0.8) ? [header.join(separator)] : []), ...rows]
  const knows = draw.chance(0.5)
  const zoneOption = zone === 0 ? {} : { zone }
  return {
    text: `${lines.join(draw.pick(['\n', '\r\n']))}\n`,
    options: knows
      ? { decimalMark: mark, ...zoneOption, ...(form.form ? { dateForm: form.form } : {}) }
      : zoneOption,
    candles,
  }
}

/** Reads candles of a dialect. Returns a fault if they are neither read exactly nor refused. */
export async function checkDialect(draw: Draw): Promise<'read' | 'refused' | { readonly fault: string }> {
  const { text, options, candles } = writeDialect(draw)
  const found: Candle[] = []
  const bytes = Readable.from([Buffer.from(text)])
  const { problems } = await readRows({ name: 'drawn', bytes }, options, (_, candle) => found.push(candle))
  if (problems.length > 0) return 'refused'
  found.sort((a, b) => a.timestamp - b.timestamp)
  const fields = ['timestamp', 'open', 'high', 'low', 'close', 'volume'] as const
  const isSame =
    found.length === candles.length &&
    candles.every((candle, at) => fields.every(field => Object.is(candle[field], found[at]?.[field])))
  if (isSame) return 'read'
  return {
    fault: `${JSON.stringify(options)}\n${text.slice(0, 400)}\n${JSON.stringify([candles[0], found[0]])}`,
  }
}
