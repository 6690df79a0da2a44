import { formatCount } from './format-count.js'
import { endOf, type Timeframe } from './timeframe.js'

/** Trading hours of a market that is not always open. */
export interface TradingHours {
  /** Seconds during which the market is open between two times (Unix seconds). Unknown holidays count as open. */
  openSeconds(from: number, to: number): number
  /** Length of a session in seconds. It is the tolerance for an unknown holiday. */
  readonly sessionSeconds: number
}

/** Seconds since the end of the newest candle, which opens at `newest`; 0 while the candle is forming. */
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

/** Schedule of the next candle of a series, if that is not the end of the last candle. */
export interface Due {
  readonly hours?: TradingHours | undefined
  /** Seconds between two values of a series that has values only at single times. */
  readonly interval?: number | undefined
}

/**
 * Whether the newest candle, which opens at `newest`, is too old to be the forming or the last closed candle. It is old if it
 * opened more than two timeframes or intervals ago. Time in which the market is closed does not count.
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

/** Note on old candles for the user; undefined if the candles are not old. */
export const oldCandlesNote = (
  timeframe: Timeframe,
  newest: number,
  now: number,
  due?: Due,
): string | undefined =>
  isOld(timeframe, newest, now, due) ? noteOfAge(ageOf(timeframe, newest, now)) : undefined

/** Note on candles whose newest one ended `seconds` seconds ago. */
export const noteOfAge = (seconds: number): string => `the last candle ended ${formatAge(seconds)} ago`
