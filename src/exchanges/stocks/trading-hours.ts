const day = 86_400
const hour = 3600

/**
 * The regular session of the US stock exchanges on one day, in Unix seconds. Holidays and half days are not known, so
 * there may be no session on that day, or a shorter one.
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

/** Seconds by which New York is behind UTC at noon of a UTC day. Clocks change on Sundays, so it holds for every session. */
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

/** The open of the next session after a time (Unix seconds); holidays are not known. */
export function nextOpen(time: number): number {
  for (let later = time; ; later += day) {
    const { open, isWeekend } = sessionAt(later)
    if (!isWeekend && open > time) return open
  }
}
