import type { Columns } from '../../candles/columns.js'
import type { ReturnStatistics } from '../../client/types.js'
import { becomesTrue } from '../../compute/expressions/compile.js'
import { deviationOf, hitRateOf, meanInterval, meanOf, medianOf, shareInterval } from './statistics.js'

/** 1 where prices are to rise, −1 where they are to fall. */
export type Direction = 1 | -1

/** The candles at which a condition becomes true, as alerts understand it. */
export function signalsOf(condition: Float64Array): Int32Array {
  const found: number[] = []
  for (let i = 1; i < condition.length; i++)
    if (becomesTrue(condition[i] as number, condition[i - 1] as number)) found.push(i)
  return Int32Array.from(found)
}

/** The candles at which a condition is defined, whether it holds or not. */
export function definedOf(condition: Float64Array): Int32Array {
  const found: number[] = []
  for (let i = 0; i < condition.length; i++) if (!Number.isNaN(condition[i])) found.push(i)
  return Int32Array.from(found)
}

/**
 * The returns of buying (or selling) at the open of the candle after each of `candles` and leaving at the close of the one
 * that is `horizon` candles after it. Those that end after the last of `count` candles are left out, and those that begin
 * at a price that is not above 0.
 */
export function returnsAfter(
  { open, close }: Columns,
  count: number,
  candles: Int32Array,
  horizon: number,
  direction: Direction,
): Float64Array {
  const returns = new Float64Array(candles.length)
  let length = 0
  for (const i of candles) {
    if (i + horizon >= count) break
    const entry = open[i + 1] as number
    if (entry > 0) returns[length++] = direction * ((close[i + horizon] as number) / entry - 1)
  }
  return returns.subarray(0, length)
}

/** The statistics of a sample of returns; null where there are too few. */
export function statisticsOf(returns: Float64Array): ReturnStatistics {
  const count = returns.length
  if (count === 0) {
    return {
      count,
      mean: null,
      median: null,
      standardDeviation: null,
      hitRate: null,
      meanInterval: null,
      hitRateInterval: null,
    }
  }
  const mean = meanOf(returns)
  const deviation = deviationOf(returns, mean)
  const hitRate = hitRateOf(returns)
  return {
    count,
    mean,
    median: medianOf(returns),
    standardDeviation: count < 2 ? null : deviation,
    hitRate,
    meanInterval: meanInterval(mean, deviation, count) ?? null,
    hitRateInterval: shareInterval(hitRate, count) ?? null,
  }
}
