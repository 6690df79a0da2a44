/** The timeframes of the interface and their length in seconds. */
export const timeframes = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3600,
  '4h': 14_400,
  '1d': 86_400,
  '1w': 604_800,
} as const
export type Timeframe = keyof typeof timeframes

export const isTimeframe = (text: string): text is Timeframe => Object.hasOwn(timeframes, text)

/** Unix seconds of a Monday 00:00 UTC: weeks are counted from there, everything else from the epoch. */
const monday = 345_600

/** The open time (Unix seconds) of the candle in which the time `seconds` (Unix seconds) lies. */
export function openOf(timeframe: Timeframe, seconds: number): number {
  const length = timeframes[timeframe]
  const origin = timeframe === '1w' ? monday : 0
  return Math.floor((seconds - origin) / length) * length + origin
}
