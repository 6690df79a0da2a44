const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const maxQuotedLength = 40

/** Whether a cell holds a decimal number, with or without an exponent. */
export const isNumber = (cell: string): boolean => decimal.test(cell)

/** A cell in quotation marks, shortened, for a message. */
export const quoteCell = (cell: string): string =>
  JSON.stringify(cell.length > maxQuotedLength ? `${cell.slice(0, maxQuotedLength - 1)}…` : cell)

interface TimeOptions {
  /** The cell with the time of day, where the date has a column of its own. */
  readonly timeOfDay?: string
  /** Whether eight digits are a date (YYYYMMDD) and not Unix seconds. */
  readonly isDate?: boolean
}

const clock = /^\d\d:?\d\d(:?\d\d)?$/
const date =
  /^(\d{4})([-/.])(\d\d)\2(\d\d)(?:(?:T|\s+)(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i

/**
 * Unix seconds of a time: Unix seconds, milli-, micro- or nanoseconds, or a date with or without a time of day, in UTC
 * unless it names an offset. Undefined where the text is none of these.
 */
export function parseTime(
  text: string,
  { timeOfDay = '', isDate = false }: TimeOptions = {},
): number | undefined {
  const isClock = clock.test(timeOfDay)
  // In some files the column called time holds the date, too.
  if (timeOfDay !== '' && !isClock) return parseTime(timeOfDay)
  const digits = /^(\d+)(?:\.0*)?$/.exec(text)?.[1]
  const isUnixTime = digits !== undefined && !isClock && !(isDate && digits.length === 8)
  return isUnixTime ? parseUnixTime(digits) : parseDate(text, timeOfDay)
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

function parseDate(text: string, timeOfDay: string): number | undefined {
  const day = text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
  const time = timeOfDay.replace(
    /^(\d\d)(\d\d)(\d\d)?$/,
    (_, hour, minute, second = '00') => `${hour}:${minute}:${second}`,
  )
  const match = date.exec(`${day} ${time}`.trim())
  if (match === null) return undefined
  const [, year, , month, dayOfMonth, hour = '00', minute = '00', second = '00', fraction = '0', zone = 'Z'] =
    match
  const isoText = `${year}-${month}-${dayOfMonth}T${hour}:${minute}:${second}`
  const milliseconds = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(dayOfMonth),
    Number(hour),
    Number(minute),
    Number(second),
  )
  // Date.UTC accepts 30 February and 25:00 as times of the next month and day.
  if (new Date(milliseconds).toISOString().slice(0, 19) !== isoText) return undefined
  return milliseconds / 1000 + Number(`0.${fraction}`) - offsetOf(zone)
}

/** How far a time zone is ahead of UTC, in seconds. */
function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? []
  return Number(`${sign ?? ''}1`) * (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60)
}
