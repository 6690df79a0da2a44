import { Frame } from '../../frame'
import { trueRanges } from '../../parts/candles/true-range'
import { areMoves } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { deviation } from '../../parts/windows/deviation'
import { movingRange } from '../../parts/windows/extremes'
import { movingMean } from '../../parts/windows/sums'
import { movingWeightedMean } from '../../parts/windows/weighted-means'

/**
 * Squeeze Momentum: the end of the regression line through the last `lengthKC` distances of the close from the mean of
 * its average and the middle of its range; the squeeze is on while the Bollinger Bands lie inside the Keltner Channel.
 * The channel is a simple average ∓ multKC simple averages of the true range. The momentum is LazyBear's, not Carter's.
 * The bands are multBB deviations wide (LazyBear's script as first published multiplies them by multKC, which its
 * author calls a typo and has corrected; multBB 1.5 gives that squeeze). The squeeze is known before the momentum where
 * `lengthBB` is small.
 * Source: Carter, Mastering the Trade (2005), chapter 11; LazyBear, Squeeze Momentum Indicator (2014).
 */
export function squeeze(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const value = frame.output(0)
  const isSqueezed = frame.output(1)
  const bandPeriod = frame.integer(0)
  const period = frame.integer(1)
  const bandWidth = frame.number(2)
  const channelWidth = frame.number(3)
  const suffixes = frame.scratch(4)
  const momentumFrom = warmup(value, from, to, 2 * (period - 1))
  const squeezeFrom = warmup(isSqueezed, from, to, max(bandPeriod - 1, period))
  const oldest = min(momentumFrom - period + 1, squeezeFrom)
  if (oldest >= to) return

  const distances = frame.scratch(0).from(-oldest)
  const highest = frame.scratch(1).from(-oldest)
  const lowest = frame.scratch(2).from(-oldest)
  movingMean(close, 0, distances, oldest, to, period, suffixes)
  for (let i = squeezeFrom; i < to; i++) isSqueezed[i] = distances[i]
  if (momentumFrom < to) {
    movingRange(high, low, 0, highest, lowest, oldest, to, period, suffixes)
    for (let i = oldest; i < to; i++) {
      distances[i] = close[i] - ((highest[i] + lowest[i]) / 2 + distances[i]) / 2
    }
    // A regression line ends at three times the weighted mean minus twice the plain one.
    const means = frame.scratch(1).from(-momentumFrom)
    movingWeightedMean(distances, period - 1, value, momentumFrom, to, period, suffixes)
    movingMean(distances, period - 1, means, momentumFrom, to, period, suffixes)
    for (let i = momentumFrom; i < to; i++) value[i] = 3 * value[i] - 2 * means[i]
  }
  if (squeezeFrom >= to) return

  const oldestRange = squeezeFrom - period + 1
  const ranges = frame.scratch(0).from(-oldestRange)
  const means = frame.scratch(1).from(-squeezeFrom)
  const range = frame.scratch(2).from(-squeezeFrom)
  const spread = frame.scratch(3).from(-squeezeFrom)
  trueRanges(high, low, close, ranges, oldestRange, to)
  movingMean(ranges, 1, range, squeezeFrom, to, period, suffixes)
  deviation(close, 0, means, spread, squeezeFrom, to, bandPeriod, suffixes)
  const one = f64x2.splat(1)
  const bands = f64x2.splat(bandWidth)
  const channels = f64x2.splat(channelWidth)
  const after = isSqueezed[to]
  for (let i = squeezeFrom; i < to; i += 2) {
    const mean = means.pair(i)
    const apart = f64x2.abs(f64x2.sub(mean, isSqueezed.pair(i)))
    const width = f64x2.add(apart, f64x2.mul(bands, spread.pair(i)))
    const inside = f64x2.sub(f64x2.mul(channels, range.pair(i)), width)
    isSqueezed.setPair(i, v128.and(areMoves(inside, mean), one))
  }
  isSqueezed[to] = after
}
