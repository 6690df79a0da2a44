/** Whether the day or the month of a date such as 01/02/2024 comes first. */
export type DateOrder = 'dmy' | 'mdy'

export interface TimeOptions {
  /** The cell with the time of day, where the date has a column of its own. */
  readonly timeOfDay?: string
  /** Whether eight digits are a date (YYYYMMDD) and not Unix seconds. */
  readonly isDate?: boolean
  /** What comes first in a date with slashes. Undefined where that is not known: such a date cannot be read then. */
  readonly dateOrder?: DateOrder | undefined
  /** How far times without an offset of their own are ahead of UTC, in seconds. */
  readonly utcOffset?: number
}

const clock = /^\d\d?:?\d\d(:?\d\d)?$/
const timePart = String.raw`(?:(?:T|,?\s+)(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|(?:UTC|GMT)?[+-]\d\d:?\d\d|UTC|GMT)?$`
const yearFirst = new RegExp(String.raw`^(\d{4})([-/.])(\d\d)\2(\d\d)${timePart}`, 'i')
const yearLast = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})${timePart}`, 'i')
const monthNamed = new RegExp(String.raw`^(\d{1,2})[ -]([a-z]{3})[a-z]*[ -](\d{4})${timePart}`, 'i')
const monthFirst = new RegExp(String.raw`^([a-z]{3})[a-z]*\.? (\d{1,2}), ?(\d{4})${timePart}`, 'i')
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * Unix seconds of a time: Unix seconds, milli-, micro- or nanoseconds, or a date with or without a time of day, in UTC
 * unless it or the options name an offset. Undefined where the text is none of these.
 */
export function parseTime(text: string, options: TimeOptions = {}): number | undefined {
  const { timeOfDay = '', isDate = false } = options
  const isClock = clock.test(timeOfDay)
  // In some files the column called time holds the date, too.
  if (timeOfDay !== '' && !isClock) return parseTime(timeOfDay, { ...options, timeOfDay: '' })
  const digits = /^(\d+)(?:\.0*)?$/.exec(text)?.[1]
  const isUnixTime = digits !== undefined && !isClock && !(isDate && digits.length === 8)
  return isUnixTime ? parseUnixTime(digits) : parseDate(text, timeOfDay, options)
}

/** What the dates of a column show: the order of day and month, `none` where there is no date with slashes, `both` where each order fits. */
export function dateOrderOf(texts: readonly string[]): DateOrder | 'none' | 'both' {
  const pairs = texts.flatMap(text => {
    const [, first, separator, second] = yearLast.exec(text) ?? []
    return separator === '/' ? [[Number(first), Number(second)] as const] : []
  })
  if (pairs.length === 0) return 'none'
  if (pairs.some(([first]) => first > 12)) return 'dmy'
  if (pairs.some(([, second]) => second > 12)) return 'mdy'
  return 'both'
}

function parseUnixTime(digits: string): number | undefined {
  const exponent = exponentOf(digits.length)
  if (exponent === undefined) return undefined
  if (exponent === 0) return Number(digits)
  return Number(digits.slice(0, -exponent)) + Number(`0.${digits.slice(-exponent)}`)
}

/** The power of ten by which a Unix time with this number of digits must be divided to get seconds: unambiguous from 1973 to 5138. */
function exponentOf(digits: number): number | undefined {
  if (digits <= 11) return 0
  if (digits <= 14) return 3
  if (digits <= 17) return 6
  return digits <= 20 ? 9 : undefined
}

/** Year, month and day, then hour, minute, second, fraction and zone, each as it is written. */
type Parts = readonly (string | undefined)[]

/** The parts of a text that has a date in one of the usual forms, or undefined. */
function partsOf(text: string, dateOrder: DateOrder | undefined): Parts | undefined {
  const plain = yearFirst.exec(text)
  if (plain) return [plain[1], plain[3], plain[4], ...plain.slice(5)]
  const late = yearLast.exec(text)
  if (late) {
    const [, first, separator, second, year, ...time] = late
    const order = separator === '/' ? dateOrder : 'dmy'
    if (order === undefined) return undefined
    return order === 'dmy' ? [year, second, first, ...time] : [year, first, second, ...time]
  }
  const named = monthNamed.exec(text)
  if (named) return [named[3], monthOf(named[2]), named[1], ...named.slice(4)]
  const first = monthFirst.exec(text)
  return first ? [first[3], monthOf(first[1]), first[2], ...first.slice(4)] : undefined
}

const monthOf = (name = '') => `${monthNames.indexOf(name.toLowerCase()) + 1}`

function parseDate(
  text: string,
  timeOfDay: string,
  { dateOrder, utcOffset = 0 }: TimeOptions,
): number | undefined {
  // A day in eight digits may have its time in six behind it.
  const day = text.replace(
    /^(\d{4})(\d\d)(\d\d)(?: (\d\d)(\d\d)(\d\d))?$/,
    (_, year, month, date, hour, minute, second) =>
      `${year}-${month}-${date}${hour === undefined ? '' : ` ${hour}:${minute}:${second}`}`,
  )
  const time = timeOfDay.replace(
    /^(\d\d)(\d\d)(\d\d)?$/,
    (_, hour, minute, second = '00') => `${hour}:${minute}:${second}`,
  )
  const parts = partsOf(`${day} ${time}`.trim(), dateOrder)
  if (parts === undefined) return undefined
  const [year, month, dayOfMonth, hour = '00', minute = '00', second = '00', fraction = '0', zone] = parts
  const numbers = [year, month, dayOfMonth, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
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
  return milliseconds / 1000 + Number(`0.${fraction}`) - (zone === undefined ? utcOffset : offsetOf(zone))
}

/** How far a time zone is ahead of UTC, in seconds: `Z`, `UTC`, `+01:00` or `GMT+0100`. */
export function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(zone) ?? []
  return Number(`${sign ?? ''}1`) * (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60)
}
