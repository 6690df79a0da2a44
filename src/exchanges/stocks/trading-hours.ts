const day = 86_400
const hour = 3600

/** The regular session of the US stock exchanges on one day, in Unix seconds; whether they trade at all is not said. */
export interface Session {
  /** 00:00 UTC of the day that it is in New York. */
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

/** Seconds that New York is behind UTC at noon of a UTC day. Clocks are changed on Sundays, so it holds for every session. */
function offsetOn(date: number): number {
  let offset = offsets.get(date)
  if (offset === undefined) {
    offset = (12 - Number(hourInNewYork.format((date + 12 * hour) * 1000))) * hour
    offsets.set(date, offset)
  }
  return offset
}

const midnight = (seconds: number): number => Math.floor(seconds / day) * day

/** The session of the day that it is in New York at the moment `seconds`. */
export function sessionAt(seconds: number): Session {
  const date = midnight(seconds - offsetOn(midnight(seconds)))
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

/** The next session that opens after the moment `seconds`; holidays are not known. */
export function nextOpen(seconds: number): number {
  for (let moment = seconds; ; moment += day) {
    const { open, isWeekend } = sessionAt(moment)
    if (!isWeekend && open > seconds) return open
  }
}
