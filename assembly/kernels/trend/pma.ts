import { Frame } from '../../frame'
import { medianPrices } from '../../parts/candles/median-price'
import { warmup } from '../../parts/numbers/warmup'
import { movingWeightedMean } from '../../parts/windows/weighted-means'

/**
 * Predictive Moving Average: twice the weighted mean of (high + low) / 2 over seven candles, minus the weighted mean of
 * that mean; `trigger` is the weighted mean of the value over four candles.
 * Source: Ehlers, Rocket Science for Traders (2001), chapter 20; VectorTA pma.
 */
export function pma(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const trigger = frame.output(1)
  const suffixes = frame.scratch(2)
  const first = warmup(value, from, to, 12)
  warmup(trigger, from, to, 15)
  if (first >= to) return
  // The trigger reads three values before the first one of this call, a value reads six means, and a mean reads six
  // prices.
  const oldest = max(12, first - 3)
  const prices = frame.scratch(0).from(12 - oldest)
  const means = frame.scratch(1).from(6 - oldest)
  const values = frame.scratch(3).from(-oldest)
  medianPrices(frame.input(0), frame.input(1), prices, oldest - 12, to)
  movingWeightedMean(prices, 0, means, oldest - 6, to, 7, suffixes)
  movingWeightedMean(means, 6, values, oldest, to, 7, suffixes)
  for (let i = oldest; i < to; i++) values[i] = 2 * means[i] - values[i]
  for (let i = first; i < to; i++) value[i] = values[i]
  movingWeightedMean(values, 12, trigger, max(from, 15), to, 4, suffixes)
}
