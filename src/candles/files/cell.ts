import { toUnixTime, type Zone } from './time.js'

/** Character that begins the decimals of a number. The other character separates thousands. */
export type DecimalMark = 'point' | 'comma'

/** A time from a format with a type for times: an instant, or a local time without a zone. Its text is that of a CSV cell. */
export class TimeCell {
  constructor(
    readonly milliseconds: number,
    readonly isLocal: boolean,
  ) {}

  /** Unix seconds of the time. A local time is in `zone`. */
  unixTime(zone: Zone): number | undefined {
    const seconds = Math.floor(this.milliseconds / 1000)
    const whole = this.isLocal ? toUnixTime(seconds, zone) : seconds
    return whole === undefined ? undefined : whole + (this.milliseconds - seconds * 1000) / 1000
  }

  toString(): string {
    return new Date(this.milliseconds).toISOString().slice(0, this.isLocal ? 23 : 24)
  }
}

/** A value of a row: a text, or a number or a time if the file format has them. A missing value is an empty text. */
export type Cell = string | number | TimeCell

/** Range of times whose years have four digits, in milliseconds. */
const [earliest, latest] = [-62_167_219_200_000, 253_402_300_799_999]
/** Whether a `Date` can hold the time. */
const isTime = (milliseconds: number) => Math.abs(milliseconds) <= 8.64e15

export function timeCell(milliseconds: number, isLocal: boolean): Cell {
  if (!isTime(milliseconds)) return ''
  const cell = new TimeCell(Math.trunc(milliseconds), isLocal)
  return milliseconds >= earliest && milliseconds <= latest ? cell : String(cell)
}

/** Cell of a day from a format with a type for days. */
export const dayCell = (milliseconds: number): Cell =>
  isTime(milliseconds) ? new Date(milliseconds).toISOString().slice(0, 10) : ''

/** Cell of a time of day, given in seconds since midnight. */
export const clockCell = (seconds: number): Cell =>
  seconds >= 0 && seconds < 86_400 ? new Date(Math.floor(seconds) * 1000).toISOString().slice(11, 19) : ''

/** Converts any other value to a cell: a number, or a trimmed text. */
export function valueCell(value: unknown): Cell {
  if (value === null || value === undefined) return ''
  return typeof value === 'number' ? value : String(value).trim()
}

/** Maximum length of a number. */
const maxLength = 64
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
/** A number with a currency, separators of thousands, or a size such as K. Indian numbers are grouped as in 12,34,567. */
const decorated = {
  point:
    /^([+-]?)[$€£₹¥]?\s?((?:\d+|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:['\s]\d{3})+|[1-9]\d?(?:,\d\d)+,\d{3})(?:\.\d*)?|\.\d+)\s?([kmbt]?)\s?[$€£₹¥]?$/i,
  comma:
    /^([+-]?)[$€£₹¥]?\s?((?:\d+|[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?:['\s]\d{3})+)(?:,\d*)?|,\d+)\s?([kmbt]?|e[+-]?\d+)\s?[$€£₹¥]?$/i,
} as const satisfies Record<DecimalMark, RegExp>
/** Text of a cell without a value. */
const missing = /^(?:-|–|—|null|nan|n\/a|na|none)?$/i
const sizes: Readonly<Record<string, string>> = { k: 'e3', m: 'e6', b: 'e9', t: 'e12' }
const maxQuotedLength = 40

/** Whether a cell has no value: it is empty, `null`, `NaN`, `N/A`, `NA`, `none` or a dash. */
export const isMissing = (cell: Cell): boolean =>
  typeof cell === 'string' ? missing.test(cell) : typeof cell === 'number' && Number.isNaN(cell)

/**
 * Parses the number in a cell. It may have an exponent, or a currency, separators of thousands and one of the sizes K, M, B and T.
 * Returns NaN if the cell has no number.
 */
export function parseNumber(cell: Cell, mark: DecimalMark = 'point'): number {
  if (typeof cell === 'number') return cell
  if (cell instanceof TimeCell || cell === '' || cell.length > maxLength) return Number.NaN
  const plainNumber = mark === 'point' ? parsePlain(cell) : undefined
  if (plainNumber !== undefined) return plainNumber
  if (mark === 'point' && decimal.test(cell)) return Number(cell)
  const [, sign = '', digits, size = ''] = decorated[mark].exec(cell) ?? []
  if (digits === undefined) return Number.NaN
  const plain =
    mark === 'point' ? digits.replace(/[,'\s]/g, '') : digits.replace(/[.'\s]/g, '').replace(',', '.')
  return Number(`${sign}${plain}${sizes[size.toLowerCase()] ?? size}`)
}

/** Powers of ten that are exact as numbers. Integers of up to 15 digits are exact too, so the quotient is rounded correctly. */
const powers = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent)
const [zero, nine, point] = ['0', '9', '.'].map(sign => sign.charCodeAt(0)) as [number, number, number]

/** Parses a number of up to 15 digits with or without a point, five times as fast as a pattern; undefined for other texts. */
function parsePlain(text: string): number | undefined {
  const { length } = text
  if (length > 16) return undefined
  let digits = 0
  let decimals = -1
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code >= zero && code <= nine) {
      digits = digits * 10 + code - zero
      if (decimals >= 0) decimals++
    } else if (code === point && decimals < 0) decimals = 0
    else return undefined
  }
  // A single point is no number, and a number of 16 digits may not be exact.
  if (length < (decimals < 0 ? 1 : 2) || (length === 16 && decimals < 0)) return undefined
  return decimals > 0 ? digits / (powers[decimals] as number) : digits
}

/** Whether a cell is a number with either decimal mark. */
export const isNumber = (cell: Cell): boolean =>
  !Number.isNaN(parseNumber(cell, 'point')) || !Number.isNaN(parseNumber(cell, 'comma'))

/** Decimal mark of a cell: the only mark with which it is a number, or `either` if both work and differ. Else undefined. */
export function markOfCell(cell: Cell): DecimalMark | 'either' | undefined {
  if (typeof cell !== 'string') return undefined
  const [point, comma] = [parseNumber(cell, 'point'), parseNumber(cell, 'comma')]
  if (Object.is(point, comma)) return undefined
  if (Number.isNaN(point)) return 'comma'
  return Number.isNaN(comma) ? 'point' : 'either'
}

/** Decimal mark of columns; an example if numbers have two readings; undefined if no number has separators. */
export function decimalMarkOf(
  columns: readonly (readonly Cell[])[],
): DecimalMark | { readonly unclear: string } | undefined {
  const counts = { point: 0, comma: 0, either: 0 }
  const decided = new Set<DecimalMark>()
  let unclear: string | undefined
  for (const cells of columns) {
    const either: string[] = []
    for (const cell of cells) {
      const mark = markOfCell(cell)
      if (mark === undefined) continue
      counts[mark]++
      if (mark === 'either') either.push(cell as string)
    }
    unclear ??= either[0]
    // In a column that contains 1234, the comma of 1,250 does not separate thousands.
    const hasCommas = either.some(cell => cell.includes(','))
    if (either.length > 0 && cells.some(cell => typeof cell === 'string' && /^[+-]?\d{4,}$/.test(cell)))
      if (either.every(cell => cell.includes(',') === hasCommas)) decided.add(hasCommas ? 'comma' : 'point')
  }
  if (counts.point + counts.comma > 0) return counts.comma > counts.point ? 'comma' : 'point'
  if (unclear === undefined) return undefined
  return decided.size === 1 ? ([...decided][0] as DecimalMark) : { unclear }
}

/** Quotes and shortens a cell for a message. */
export const quoteCell = (cell: string): string =>
  JSON.stringify(cell.length > maxQuotedLength ? `${cell.slice(0, maxQuotedLength - 1)}…` : cell)
