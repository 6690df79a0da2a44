/** Timeframes with the length of a candle in seconds. The length of a month is its maximum. */
export const timeframes = {
  '1m': 60,
  '3m': 180,
  '5m': 300,
  '15m': 900,
  '30m': 1800,
  '1h': 3600,
  '2h': 7200,
  '4h': 14_400,
  '6h': 21_600,
  '8h': 28_800,
  '12h': 43_200,
  '1d': 86_400,
  '3d': 259_200,
  '1w': 604_800,
  '1M': 2_678_400,
} as const
export type Timeframe = keyof typeof timeframes

export const isTimeframe = (text: string): text is Timeframe => Object.hasOwn(timeframes, text)

/** Unix seconds of a Monday 00:00 UTC, from which weeks are counted. Shorter timeframes are counted from the epoch. */
const monday = 345_600

/** Open time (Unix seconds) of the candle that contains the time `seconds` (Unix seconds). */
export function openOf(timeframe: Timeframe, seconds: number): number {
  if (timeframe === '1M') return monthOpen(seconds, 0)
  const length = timeframes[timeframe]
  const origin = timeframe === '1w' ? monday : 0
  return Math.floor((seconds - origin) / length) * length + origin
}

/** End of the candle that opens at `open`; both in Unix seconds. */
export const endOf = (timeframe: Timeframe, open: number): number =>
  timeframe === '1M' ? monthOpen(open, 1) : open + timeframes[timeframe]

/** Number of candles between `from` and `to` (Unix seconds). It may be a fraction, and infinite if a time is infinite. */
export function candlesBetween(timeframe: Timeframe, from: number, to: number): number {
  const isMonths = timeframe === '1M' && Number.isFinite(from) && Number.isFinite(to)
  return isMonths ? monthsAt(to) - monthsAt(from) : (to - from) / timeframes[timeframe]
}

/** Whether candles of the longer timeframe consist of whole candles of the shorter one. Each timeframe divides itself. */
export function divides(shorter: Timeframe, longer: Timeframe): boolean {
  if (shorter === longer) return true
  // Weeks and months begin with a day, but not with a week or with three days.
  if (longer === '1M' || longer === '1w') return timeframes[shorter] <= timeframes['1d']
  return timeframes[longer] % timeframes[shorter] === 0
}

/** Whether candles of a timeframe may be `seconds` apart: months are 28 to 31 days long. */
export const hasLength = (timeframe: Timeframe, seconds: number): boolean =>
  timeframe === '1M'
    ? seconds >= 28 * timeframes['1d'] && seconds <= timeframes['1M']
    : seconds === timeframes[timeframe]

/** Open time of the month that is `later` months after the month of a time; both in Unix seconds. */
function monthOpen(seconds: number, later: number): number {
  const date = new Date(seconds * 1000)
  // Infinity and times beyond the calendar of JavaScript open their own month.
  if (Number.isNaN(date.getTime())) return seconds
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later) / 1000
}

/** Months since the year 0, including the fraction of the present month. */
function monthsAt(seconds: number): number {
  const date = new Date(seconds * 1000)
  const open = monthOpen(seconds, 0)
  const passed = (seconds - open) / (monthOpen(seconds, 1) - open)
  return date.getUTCFullYear() * 12 + date.getUTCMonth() + passed
}
