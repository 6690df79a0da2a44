import { type Timeframe, timeframes } from '../candles/timeframe.js'

const fromCoarse = (Object.keys(timeframes) as Timeframe[]).sort((a, b) => timeframes[b] - timeframes[a])

/**
 * Where the candles of each timeframe come from when an exchange has the timeframes given (others than ours are passed
 * over): from the exchange itself, from the coarsest finer timeframe it has, or from nowhere. Each of the seven divides
 * the coarser ones.
 */
export function plan(
  nativeTimeframes: Iterable<string>,
): Readonly<Record<Timeframe, 'native' | Timeframe | undefined>> {
  const native = new Set(nativeTimeframes)
  return Object.fromEntries(
    fromCoarse
      .toReversed()
      .map(timeframe => [
        timeframe,
        native.has(timeframe)
          ? 'native'
          : fromCoarse.find(finer => timeframes[finer] < timeframes[timeframe] && native.has(finer)),
      ]),
  ) as Record<Timeframe, 'native' | Timeframe | undefined>
}
