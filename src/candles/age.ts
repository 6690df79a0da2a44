import { formatCount } from './format-count.js'
import { endOf, type Timeframe } from './timeframe.js'

/** When a market is open, where it is not always. */
export interface TradingHours {
  /** Seconds in which it is open, from one time to another one (Unix seconds), as far as holidays are known. */
  openSeconds(from: number, to: number): number
  /** How long a session lasts, in seconds, which may be a holiday that is not known. */
  readonly sessionSeconds: number
}

/** For how many seconds there has been no newer candle: since the end of the one that opens at `newest`; 0 before that. */
export const ageOf = (timeframe: Timeframe, newest: number, now: number): number =>
  Math.max(0, Math.floor(now - endOf(timeframe, newest)))

const units: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
]

/** Seconds in words, such as `365 days` or `1 minute`. */
export function formatAge(seconds: number): string {
  const [length, name] = units.find(([each]) => seconds >= each) ?? [1, 'second']
  return formatCount(Math.floor(seconds / length), name)
}

/** When the next candle of a series is due, where that is not the end of the one before. */
export interface Due {
  readonly hours?: TradingHours | undefined
  /** Seconds between two values of a series that has them at single times. */
  readonly interval?: number | undefined
}

/**
 * Whether candles are old whose newest one opens at `newest`: that is more than two of their timeframes ago, or of the intervals
 * between them, so that it is neither forming nor the last one that closed. Time in which the market is closed does not count.
 */
export function isOld(
  timeframe: Timeframe,
  newest: number,
  now: number,
  { hours, interval = 0 }: Due = {},
): boolean {
  const end = endOf(timeframe, newest)
  if (now - newest <= 2 * Math.max(end - newest, interval)) return false
  if (hours === undefined) return true
  return hours.openSeconds(newest, now) > 2 * hours.openSeconds(newest, end) + hours.sessionSeconds
}

/** What is said of old candles; undefined of others. */
export const oldCandlesNote = (
  timeframe: Timeframe,
  newest: number,
  now: number,
  due?: Due,
): string | undefined =>
  isOld(timeframe, newest, now, due) ? noteOfAge(ageOf(timeframe, newest, now)) : undefined

/** What is said of candles of which the newest one ended so many seconds ago. */
export const noteOfAge = (seconds: number): string => `the last candle ended ${formatAge(seconds)} ago`
