/** Order of day, month and year in a date such as 01/02/2024. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd'
/** Form of dates. `excel`: numbers count days as in Excel, from 1899-12-30 on. */
export type DateForm = DateOrder | 'excel'

export type ClockDigits = 1 | 4 | 6

export interface TimeOptions {
  /** Digits of a time of day without colons: HHMM or HHMMSS, whose leading zeros may be lost; 1 if all times are 0. */
  readonly clockDigits?: ClockDigits | undefined
  /** Form of ambiguous dates. Without it, an ambiguous date cannot be read. */
  readonly dateForm?: DateForm | undefined
  /** Zone of times without their own zone. */
  readonly zone?: Zone | undefined
}

const maxLength = 64
/** 1990-01-01. A smaller number is no Unix time. */
const earliestUnixTime = 631_152_000
const daySeconds = 86_400
/** Days from 1899-12-30 to 1970-01-01. */
const excelEpoch = 25_569

const clockPart = String.raw`(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:\s?([ap])\.?m\.?)?`
const zonePart = String.raw`\s?(Z|(?:UTC|GMT)?[+-]\d\d(?::?\d\d)?|UTC|GMT|[a-z]+/[a-z_/+-]+\d*)?`
const timePart = String.raw`(?:(?:T|,?\s{1,3})${clockPart}${zonePart})?$`
const yearFirst = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${timePart}`, 'i')
const yearLast = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})${timePart}`, 'i')
const yearShort = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{1,2})${timePart}`, 'i')
const monthNamed = new RegExp(String.raw`^(\d{1,2})[ -]([a-z]{3,9})\.?[ -](\d{4}|\d\d)${timePart}`, 'i')
const monthFirst = new RegExp(String.raw`^([a-z]{3,9})\.? (\d{1,2}),? ?(\d{4})${timePart}`, 'i')
const clockText = new RegExp(`^${clockPart}${zonePart}$`, 'i')
const midnight = /(?:T|\s)0?0:00(?::00(?:\.0*)?)?$/
const compact = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(\d{3})?)?)?)?$/
const compactWithClock = /^(\d{4})(\d\d)(\d\d)[ T](\d\d):?(\d\d):?(\d\d)?( ?[a-z+-]\S*)?$/i
const digitsOnly = /^(\d+)(?:\.0*)?$/
const months = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october'],
  ...['november', 'december'],
]

/**
 * Parses a time to Unix seconds. `clock` is the time of day if it is in a separate column. The text is one of:
 *
 * - a Unix time from 1990 to the end of next year, in seconds, milli-, micro- or nanoseconds;
 * - a date in 8, 10, 12, 14 or 17 digits;
 * - a date with or without a time of day, in its own zone, the zone of the options, or UTC.
 *
 * Returns undefined for any other text.
 */
export function parseTime(text: string, options: TimeOptions = {}, clock = ''): number | undefined {
  if (text.length > maxLength) return undefined
  const { dateForm } = options
  if (clock !== '') {
    const time = clockOf(clock, options.clockDigits)
    return time === undefined ? undefined : parseDate(`${dayOf(text)} ${time}`, options)
  }
  if (dateForm === 'excel' && /^\d+(?:\.\d+)?$/.test(text)) {
    return toUnixTime(Math.round((Number(text) - excelEpoch) * daySeconds), options.zone ?? 0)
  }
  const digits = digitsOnly.exec(text)?.[1]
  if (digits === undefined) return parseDate(text, options)
  return unixTimeOf(digits) ?? parseDate(digits, options)
}

/** Removes a time of day that is midnight from a day in digits or in a text. */
const dayOf = (text: string): string => (digitsOnly.exec(text)?.[1] ?? text).replace(midnight, '')

/** Time of day as HH:MM:SS, with its zone if it has one; undefined if the text is no time of day. */
function clockOf(text: string, digits: ClockDigits | undefined): string | undefined {
  if (clockText.test(text)) return text
  const number = digitsOnly.exec(text)?.[1]
  if (digits === undefined || number === undefined || number.length > digits) return undefined
  if (digits === 1) return number === '0' ? '00:00:00' : undefined
  const [, hour, minute, second = '00'] = /^(\d\d)(\d\d)(\d\d)?$/.exec(number.padStart(digits, '0')) ?? []
  return `${hour}:${minute}:${second}`
}

/** Kind of the texts of a column: days, times of day with colons or in digits, or anything else, such as complete times. */
export function kindOf(texts: readonly string[]): 'days' | 'clocks' | 'digits' | 'other' {
  const filled = texts.filter(text => text !== '')
  if (filled.length === 0) return 'other'
  if (filled.every(text => clockText.test(text))) return 'clocks'
  if (filled.every(text => /^\d{1,6}(?:\.0*)?$/.test(text))) return 'digits'
  const isDay = (text: string) => {
    const day = dayOf(text)
    return /^\d{8}$/.test(day)
      ? unixTimeOf(day) === undefined
      : !day.includes(':') && !/^\d*$/.test(day) && day.length < 19
  }
  return filled.every(text => text.length <= maxLength && isDay(text)) ? 'days' : 'other'
}

/**
 * Number of digits of times of day in digits, or `unclear` if 500 may be 05:00 or 00:05:00. If times read as HHMMSS are not full
 * minutes, candles would be less than a minute apart. Such times are HHMM.
 */
export function clockDigitsOf(texts: readonly string[]): ClockDigits | 'unclear' {
  const digits = texts.flatMap(text => digitsOnly.exec(text)?.[1] ?? [])
  if (digits.every(each => each === '0')) return 1
  if (digits.some(each => each.length > 4)) return 6
  if (digits.some(each => each.length === 4 && each.startsWith('0'))) return 4
  const isHourAndMinute = digits.every(each => Number(each.slice(-2)) < 60 && Number(each) < 2400)
  if (!isHourAndMinute) return 6
  return digits.some(each => !each.endsWith('00') && each !== '0') ? 4 : 'unclear'
}

/** Parts of a date whose order is ambiguous, as texts; undefined for other texts. */
const unclearParts = (text: string): readonly string[] | undefined => {
  const found = yearLast.exec(text) ?? yearShort.exec(text)
  if (found) return [found[1] as string, found[3] as string, found[4] as string]
  const named = monthNamed.exec(text)
  return named?.[3]?.length === 2 ? [named[1] as string, named[2] as string, named[3]] : undefined
}

/** Whether a text is a number of 6 or 8 digits that is no Unix time and no day that begins with its year. */
const isUnclearNumber = (text: string): boolean => {
  const digits = digitsOnly.exec(text)?.[1] ?? ''
  return (
    [6, 8].includes(digits.length) && unixTimeOf(digits) === undefined && parseDate(digits, {}) === undefined
  )
}

/** Detects the form of the dates of a column: `unclear` with an example if several fit, undefined if no form is needed. */
export function dateFormOf(texts: readonly string[]): DateOrder | { readonly unclear: string } | undefined {
  let unclear: string | undefined
  for (const text of texts) {
    const parts = text.length > maxLength ? undefined : unclearParts(text)
    if (!parts) {
      if (isUnclearNumber(text) && text.replace(/\..*/, '').length === 8) unclear ??= text
      continue
    }
    const [first, second] = parts.map(Number) as [number, number]
    if (parts[2]?.length === 4 && first > 12) return 'dmy'
    if (parts[2]?.length === 4 && second > 12) return 'mdy'
    unclear ??= text
  }
  return unclear === undefined ? undefined : { unclear }
}

/** Whether the reading of a text depends on the form of dates. A form with the year first also fits dates with the year first. */
export const dependsOnForm = (text: string, form: DateForm): boolean =>
  form === 'excel'
    ? digitsOnly.test(text.replace(/\.\d+$/, ''))
    : unclearParts(text) !== undefined ||
      isUnclearNumber(text) ||
      (form === 'ymd' && /^\d{4}/.test(text) && !isUnixTime(text))

export const isUnixTime = (text: string): boolean =>
  unixTimeOf(digitsOnly.exec(text)?.[1] ?? '') !== undefined

export const namesZone = (text: string): boolean =>
  /:\d\d(?:[.,]\d+)?(?:\s?[ap]\.?m\.?)?\s?(?:Z|UTC|GMT|(?:UTC|GMT)?[+-]\d\d(?::?\d\d)?|[a-z]+\/\S+)$/i.test(
    text,
  )

/** Converts a Unix time in seconds, milli-, micro- or nanoseconds to seconds; undefined before 1990 and after next year. */
function unixTimeOf(digits: string): number | undefined {
  const { length } = digits
  // These ranges do not overlap from 1973 to 5138.
  const exponent = length <= 11 ? 0 : length <= 14 ? 3 : length <= 17 ? 6 : length <= 20 ? 9 : undefined
  if (exponent === undefined) return undefined
  const seconds =
    exponent === 0
      ? Number(digits)
      : Number(digits.slice(0, -exponent)) + Number(`0.${digits.slice(-exponent)}`)
  return seconds >= earliestUnixTime && seconds < Date.UTC(nextYear() + 1, 0) / 1000 ? seconds : undefined
}

const nextYear = () => new Date().getUTCFullYear() + 1

/** Year, month, day, hour, minute, second, fraction, half of the day and zone, as texts. */
type Parts = readonly (string | undefined)[]

function partsOf(text: string, form: DateForm | undefined): Parts | undefined {
  const plain = yearFirst.exec(text)
  if (plain) return [plain[1], plain[3], plain[4], ...plain.slice(5)]
  const late = yearLast.exec(text)
  if (late) {
    const [, first, , second, year, ...time] = late
    if (form === 'dmy') return [year, second, first, ...time]
    return form === 'mdy' ? [year, first, second, ...time] : undefined
  }
  const short = yearShort.exec(text)
  if (short) {
    const [, first, , second, third, ...time] = short
    if (form === 'dmy') return [fullYear(third), second, first, ...time]
    if (form === 'mdy') return [fullYear(third), first, second, ...time]
    return form === 'ymd' ? [fullYear(first), second, third, ...time] : undefined
  }
  const named = monthNamed.exec(text)
  if (named) {
    const [, first, name, third = '', ...time] = named
    if (third.length === 4) return [third, monthOf(name), first, ...time]
    if (form === 'dmy') return [fullYear(third), monthOf(name), first, ...time]
    return form === 'ymd' ? [fullYear(first), monthOf(name), third, ...time] : undefined
  }
  const first = monthFirst.exec(text)
  return first ? [first[3], monthOf(first[1]), first[2], ...first.slice(4)] : undefined
}

/** Latest year with the last two digits that is not after next year. */
function fullYear(digits: string | undefined): string | undefined {
  if (digits?.length !== 2) return undefined
  const latest = nextYear()
  const year = Math.floor(latest / 100) * 100 + Number(digits)
  return `${year > latest ? year - 100 : year}`
}

/** Number of an English month name, in full or shortened to at least three letters. */
function monthOf(name = ''): string {
  const word = name.toLowerCase()
  return `${months.findIndex(month => month.startsWith(word) || (word === 'sept' && month.startsWith(word))) + 1}`
}

/** Adds separators to a day in digits, which a time of day may follow. */
function separated(text: string, form: DateForm | undefined): string {
  const spaced = compactWithClock.exec(text)
  if (spaced) {
    const [, year, month, day, hour, minute, second = '00', zone = ''] = spaced
    return `${year}-${month}-${day} ${hour}:${minute}:${second}${zone}`
  }
  const [day = '', ...rest] = text.split(' ')
  const behind = rest.length === 0 ? '' : ` ${rest.join(' ')}`
  const [, year, month, date, hour, minute = '00', second = '00', milliseconds = '0'] =
    compact.exec(day) ?? []
  if (year !== undefined && isCalendarYear(year) && Number(month) <= 12) {
    const clock = hour === undefined ? '' : ` ${hour}:${minute}:${second}.${milliseconds}`
    return `${year}-${month}-${date}${clock}${behind}`
  }
  if (form === undefined || !/^(?:\d{6}|\d{8})$/.test(day)) return text
  const cuts = form === 'ymd' ? [-4, -2] : [2, 4]
  return `${day.slice(0, cuts[0])}-${day.slice(...cuts)}-${day.slice(cuts[1])}${behind}`
}

/** Whether a year is plausible at the start of digits without separators. */
const isCalendarYear = (year: string) => Number(year) >= 1800 && Number(year) <= nextYear()

function parseDate(text: string, { dateForm, zone: given = 0 }: TimeOptions): number | undefined {
  const parts = partsOf(separated(text, dateForm), dateForm)
  if (parts === undefined) return undefined
  const [year, month, day, writtenHour = '00', minute = '00', second = '00', fraction = '0', half, zone] =
    parts
  if (year === undefined) return undefined
  const hour = half === undefined ? Number(writtenHour) : hourOf(Number(writtenHour), half)
  if (hour === undefined) return undefined
  const numbers = [Number(year), Number(month), Number(day), hour, Number(minute), Number(second)] as const
  const milliseconds = Date.UTC(numbers[0], numbers[1] - 1, ...numbers.slice(2))
  // Date.UTC accepts 30 February and 25:00 as times of the next month and day.
  const date = new Date(milliseconds)
  const isReal =
    date.getUTCMonth() === numbers[1] - 1 &&
    date.getUTCDate() === numbers[2] &&
    date.getUTCHours() === numbers[3] &&
    date.getUTCMinutes() === numbers[4] &&
    date.getUTCSeconds() === numbers[5]
  if (!isReal) return undefined
  const own = zone === undefined ? given : parseZone(zone)
  const seconds = own === undefined ? undefined : toUnixTime(milliseconds / 1000, own)
  return seconds === undefined ? undefined : seconds + Number(`0.${fraction}`)
}

/** Converts an hour from 1 to 12 with AM or PM to an hour from 0 to 23. */
const hourOf = (hour: number, half: string): number | undefined =>
  hour < 1 || hour > 12 ? undefined : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)

/** A time zone: seconds ahead of UTC, or a name of the IANA database such as `America/New_York`. */
export type Zone = number | string

const farthestSeconds = 14 * 3600
/** Maximum number of cached offsets over all zones. */
const mostHours = 50_000

/** Parses a zone such as `Z`, `UTC`, `+00`, `+01:00`, `GMT+0100` or `US/Eastern`. Returns undefined for any other text. */
export function parseZone(text: string): Zone | undefined {
  const [, sign, hours, minutes = '00'] = /^(?:UTC|GMT)?([+-])(\d\d):?(\d\d)?$/i.exec(text) ?? []
  if (sign !== undefined) {
    const seconds = Number(hours) * 3600 + Number(minutes) * 60
    if (seconds > farthestSeconds || Number(minutes) > 59) return undefined
    return sign === '-' ? 0 - seconds : seconds
  }
  if (/^(?:Z|UTC|GMT)$/i.test(text)) return 0
  return text.includes('/') && clockInZone(text) ? text : undefined
}

/**
 * Converts a local time to Unix seconds. `local` has its date and time of day, read as UTC. Undefined if the time does not exist
 * because clocks were put forward, or is ambiguous because clocks were put back.
 */
export function toUnixTime(local: number, zone: Zone): number | undefined {
  if (typeof zone === 'number') return local - zone
  const [before, after] = [offsetAt(zone, local - daySeconds), offsetAt(zone, local + daySeconds)]
  if (before === after) return local - before
  const fitting = [before, after].filter(offset => offsetAt(zone, local - offset) === offset)
  return fitting.length === 1 ? local - (fitting[0] as number) : undefined
}

const clocks: Record<string, Intl.DateTimeFormat | undefined> = {}
let offsets: Record<string, number> = {}
let offsetCount = 0

function clockInZone(zone: string): Intl.DateTimeFormat | undefined {
  const known = clocks[zone]
  if (known) return known
  const fields = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  } as const
  try {
    const clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...fields })
    clocks[zone] = clock
    return clock
  } catch {
    return undefined
  }
}

/** Offset of a zone from UTC at a Unix time, in seconds. Offsets change only at full or half hours of UTC. */
function offsetAt(zone: string, time: number): number {
  const slot = Math.floor(time / 1800) * 1800
  const key = `${zone} ${slot}`
  const known = offsets[key]
  if (known !== undefined) return known
  const parts = (clockInZone(zone) as Intl.DateTimeFormat).formatToParts(slot * 1000)
  const [month, day, year, hour, minute] = parts
    .filter(({ type }) => type !== 'literal')
    .map(({ value }) => Number(value)) as [number, number, number, number, number]
  const offset = Date.UTC(year, month - 1, day, hour, minute) / 1000 - slot
  if (++offsetCount > mostHours) {
    offsets = {}
    offsetCount = 0
  }
  offsets[key] = offset
  return offset
}

const unixSeconds = /^\d{10}$/
const dayAndClock = /^(\S{6,20}[T ])([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(Z|[+-]\d\d:?\d\d)?$/

/**
 * Fast reader of the times of a column, for the forms of most long files: Unix seconds, and a day with a time of day. Caches the
 * last parsed day, because sorted rows seldom change it.
 */
export class TimeReader {
  readonly #end = Date.UTC(nextYear() + 1, 0) / 1000
  #day = ''
  #zone: string | undefined
  #midnight: number | undefined

  constructor(private readonly options: TimeOptions) {}

  /** Unix seconds, as `parseTime` returns them. */
  read(text: string): number | undefined {
    return this.#readUsual(text) ?? parseTime(text, this.options)
  }

  #readUsual(text: string): number | undefined {
    const { zone, dateForm } = this.options
    if (dateForm !== 'excel' && unixSeconds.test(text)) {
      const seconds = Number(text)
      return seconds >= earliestUnixTime && seconds < this.#end ? seconds : undefined
    }
    const found = text.length > maxLength || typeof zone === 'string' ? null : dayAndClock.exec(text)
    if (!found) return undefined
    const [, day = '', hours, minutes, seconds, ownZone] = found
    if (day !== this.#day || ownZone !== this.#zone) {
      this.#day = day
      this.#zone = ownZone
      this.#midnight = parseTime(`${day}00:00:00${ownZone ?? ''}`, this.options)
    }
    if (this.#midnight === undefined) return undefined
    return this.#midnight + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  }
}
