/** A moment (Unix seconds) as in `2025-01-31 12:00:00` (UTC), with what is left of a second if anything. */
export function formatTime(seconds: number): string {
  const moment = new Date(seconds * 1000)
  // Beyond the year 275760 there are no dates.
  if (Number.isNaN(moment.getTime())) return String(seconds)
  return moment
    .toISOString()
    .replace('T', ' ')
    .replace(/(\.000)?Z$/, '')
}
