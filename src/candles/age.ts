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
  const count = Math.floor(seconds / length)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

/**
 * Whether candles are old whose newest one opens at `newest`: that is more than two of their timeframes ago, so that it is neither
 * forming nor the last one that closed. Time in which the market is closed does not count.
 */
export function isOld(timeframe: Timeframe, newest: number, now: number, hours?: TradingHours): boolean {
  const end = endOf(timeframe, newest)
  if (now - end <= end - newest) return false
  if (hours === undefined) return true
  return hours.openSeconds(newest, now) > 2 * hours.openSeconds(newest, end) + hours.sessionSeconds
}

/** What is said of old candles; undefined of others. */
export const oldCandlesNote = (
  timeframe: Timeframe,
  newest: number,
  now: number,
  hours?: TradingHours,
): string | undefined =>
  isOld(timeframe, newest, now, hours)
    ? `the last candle ended ${formatAge(ageOf(timeframe, newest, now))} ago`
    : undefined
