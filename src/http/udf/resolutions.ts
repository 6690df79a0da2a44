import { type Timeframe, timeframes } from '../../candles/timeframe.js'

/** A timeframe as the charting library writes it: minutes as a number, longer ones with their unit. */
function resolutionOf(timeframe: Timeframe): string {
  const seconds = timeframes[timeframe]
  return seconds < timeframes['1d'] ? String(seconds / 60) : timeframe.toUpperCase()
}

export const resolutions = Object.fromEntries(
  (Object.keys(timeframes) as Timeframe[]).map(timeframe => [timeframe, resolutionOf(timeframe)]),
) as Readonly<Record<Timeframe, string>>

const timeframesByResolution = new Map(
  (Object.entries(resolutions) as [Timeframe, string][]).map(([timeframe, resolution]) => [
    resolution,
    timeframe,
  ]),
)

/** The timeframe of a resolution; of one day, week or month the number may be missing. */
export const timeframeOf = (resolution: string): Timeframe | undefined =>
  timeframesByResolution.get(/^[DWM]$/.test(resolution) ? `1${resolution}` : resolution)
