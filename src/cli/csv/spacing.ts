import { type Timeframe, timeframes } from '../../candles/timeframe.js'

/** The seconds between neighbouring candles. */
export interface Spacing {
  readonly mostFrequent: number | undefined
  readonly min: number | undefined
  /** How many candles there are, those of the same time counted once. */
  readonly times: number
}

/** With fewer candles it may be chance that no two of them follow each other directly. */
const minCandlesForMinSpacing = 10

/** The spacing of candles with these ascending open times (Unix seconds). */
export function spacingOf(ascending: readonly number[]): Spacing {
  const counts = new Map<number, number>()
  for (let at = 1; at < ascending.length; at++) {
    const step = (ascending[at] as number) - (ascending[at - 1] as number)
    if (step > 0) counts.set(step, (counts.get(step) ?? 0) + 1)
  }
  const steps = [...counts.entries()].sort(([a, m], [b, n]) => n - m || a - b)
  const min = steps.length === 0 ? undefined : Math.min(...counts.keys())
  const times = steps.reduce((sum, [, count]) => sum + count, ascending.length > 0 ? 1 : 0)
  return { mostFrequent: steps[0]?.[0], min, times }
}

/** The timeframe that the most frequent spacing shows, or undefined. */
export const timeframeOf = ({ mostFrequent }: Spacing): Timeframe | undefined =>
  (Object.keys(timeframes) as Timeframe[]).find(each => timeframes[each] === mostFrequent)

/** Why the spacing shows no timeframe; undefined where there are no candles. */
export function noTimeframe({ mostFrequent, times }: Spacing): string | undefined {
  if (times === 0) return undefined
  return mostFrequent === undefined
    ? 'one candle does not show its timeframe, it must be given'
    : `the candles are ${formatSpan(mostFrequent)} apart, which is none of ${Object.keys(timeframes).join(', ')}`
}

/** Why candles with this spacing cannot be of a timeframe, or undefined. */
export function contradiction(
  timeframe: Timeframe,
  { mostFrequent, min, times }: Spacing,
): string | undefined {
  if (mostFrequent === undefined || min === undefined) return undefined
  const length = timeframes[timeframe]
  if (mostFrequent < length)
    return `the candles are ${formatSpan(mostFrequent)} apart, which is not ${timeframe}`
  if (min > length && times >= minCandlesForMinSpacing)
    return `the candles are at least ${formatSpan(min)} apart, which is not ${timeframe}`
  return undefined
}

/** Seconds as in `90s`, `30m`, `2h` or `3d`. */
function formatSpan(seconds: number): string {
  const units = { d: 86_400, h: 3600, m: 60 }
  const unit = Object.entries(units).find(([, length]) => seconds % length === 0)
  return unit ? `${seconds / unit[1]}${unit[0]}` : `${seconds}s`
}
