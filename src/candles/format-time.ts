/** A time (Unix seconds) as in `2025-01-31 12:00:00`, in UTC, with milliseconds only where there are any. */
export function formatTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  // JavaScript has no dates after the year 275760.
  if (Number.isNaN(date.getTime())) return String(seconds)
  const text = date.toISOString().replace('T', ' ')
  return text.slice(0, text.endsWith('.000Z') ? -5 : -1)
}
