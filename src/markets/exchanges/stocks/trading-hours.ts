import type { TradingHours } from '../../../candles/age.js'

const day = 86_400
const hour = 3600

/**
 * Regular session of the US stock exchanges on one day, in Unix seconds. Holidays and half days are not known: the
 * real session may be shorter or missing.
 */
export interface Session {
  /** 00:00 UTC of the date in New York. */
  readonly date: number
  /** 9:30 in New York. */
  readonly open: number
  /** 16:00 in New York. */
  readonly close: number
  readonly isWeekend: boolean
}

const hourInNewYork = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hour: 'numeric',
  hourCycle: 'h23',
})
const offsets = new Map<number, number>()

/**
 * Seconds by which New York is behind UTC at noon of a UTC day. The offset holds for the whole session, because
 * clocks change on Sundays.
 */
function offsetOn(date: number): number {
  let offset = offsets.get(date)
  if (offset === undefined) {
    offset = (12 - Number(hourInNewYork.format((date + 12 * hour) * 1000))) * hour
    offsets.set(date, offset)
  }
  return offset
}

const midnight = (time: number): number => Math.floor(time / day) * day

/** The session of the date in New York at a time (Unix seconds). */
export function sessionAt(time: number): Session {
  const date = midnight(time - offsetOn(midnight(time)))
  const start = date + offsetOn(date)
  // The epoch was a Thursday.
  const weekday = (((date / day + 4) % 7) + 7) % 7
  return {
    date,
    open: start + 9.5 * hour,
    close: start + 16 * hour,
    isWeekend: weekday === 0 || weekday === 6,
  }
}

/** The n-th Thursday of a month (0 is January), as 00:00 UTC in Unix seconds. */
const thursday = (year: number, month: number, n: number): number => {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay()
  return Date.UTC(year, month, 1 + ((11 - first) % 7) + 7 * (n - 1)) / 1000
}

/**
 * Early close of a session at 13:00 in New York, in Unix seconds. Undefined for sessions that close at 16:00.
 * Sessions close early on the day after Thanksgiving, on December 24, and on July 3 if July 4 is a Tuesday to
 * Friday. Source: the calendar of the NYSE since 2013.
 */
export function earlyCloseOn({ date, close, isWeekend }: Session): number | undefined {
  const at = new Date(date * 1000)
  const year = at.getUTCFullYear()
  const monthAndDay = at.toISOString().slice(5, 10)
  const isEarly =
    date === thursday(year, 10, 4) + day ||
    // On a Friday both days are holidays.
    ((monthAndDay === '12-24' || monthAndDay === '07-03') && at.getUTCDay() < 5)
  return isEarly && !isWeekend ? close - 3 * hour : undefined
}

/** Open of the next session after a time (Unix seconds). Holidays are not known. */
export function nextOpen(time: number): number {
  for (let later = time; ; later += day) {
    const { open, isWeekend } = sessionAt(later)
    if (!isWeekend && open > time) return open
  }
}

const sessionSeconds = 6.5 * hour
const week = 7 * day

/** Regular sessions. Holidays are not known. */
export const tradingHours: TradingHours = {
  sessionSeconds,
  openSeconds(from, to) {
    // Any seven days have five sessions.
    const weeks = Math.max(0, Math.floor((to - from) / week) - 1)
    const begin = from + weeks * week
    let seconds = weeks * 5 * sessionSeconds
    for (let time = begin; time < to + day; time += day) {
      const { open, close, isWeekend } = sessionAt(time)
      if (!isWeekend) seconds += Math.max(0, Math.min(close, to) - Math.max(open, begin))
    }
    return seconds
  },
}
