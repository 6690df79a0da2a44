const daySeconds = 86_400

/** Formats a time (Unix seconds) as in `2025-01-31 12:00:00`, in UTC. Milliseconds are shown only if they are not 0. */
export function formatTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  // JavaScript has no dates after the year 275760.
  if (Number.isNaN(date.getTime())) return String(seconds)
  const text = date.toISOString().replace('T', ' ')
  return text.slice(0, text.endsWith('.000Z') ? -5 : -1)
}

/**
 * Returns a fast form of `formatTime` for many times. The separator and the end can differ, as in 2025-01-31T12:00:00Z. Caches
 * the text of the last day, because most consecutive times are on the same day.
 */
export function createTimeFormat(
  separator: ' ' | 'T' = ' ',
  end: '' | 'Z' = '',
): (seconds: number) => string {
  let dayStart = Number.NaN
  let day = ''
  return seconds => {
    const ofDay = seconds - dayStart
    if (!(ofDay >= 0 && ofDay < daySeconds) || !Number.isInteger(seconds)) {
      const text = formatTime(seconds)
      const [date, time] = text.split(' ')
      if (time === undefined) return text
      if (!Number.isInteger(seconds)) return `${date}${separator}${time}${end}`
      day = `${date}${separator}`
      dayStart = Math.floor(seconds / daySeconds) * daySeconds
    }
    const left = seconds - dayStart
    return `${day}${pad(Math.floor(left / 3600))}:${pad(Math.floor(left / 60) % 60)}:${pad(left % 60)}${end}`
  }
}

const pad = (number: number): string => (number < 10 ? `0${number}` : String(number))
