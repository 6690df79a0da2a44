import { endOf, type Timeframe } from './timeframe.js'

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

/** What is said of candles whose newest ended more than one of their timeframes ago: it is neither forming nor the last one that closed. */
export function oldCandlesNote(timeframe: Timeframe, newest: number, now: number): string | undefined {
  const age = ageOf(timeframe, newest, now)
  const isOld = age > endOf(timeframe, newest) - newest
  return isOld ? `the last candle ended ${formatAge(age)} ago` : undefined
}
