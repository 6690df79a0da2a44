import { Frame } from '../../frame'
import { trueRange } from '../../parts/candles/true-range'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Random Walk Index: for every length m from 2 to `period`, how far the high stands above the low m − 1 candles before,
 * in units of √m average true ranges over m candles; `high` is the greatest of them, `low` the same for the fall from a
 * high to the low.
 * A length without any range is left out (OoplesFinance takes the longest length only).
 * Source: Poulos, Of Trends and Random Walks, Stocks & Commodities (February 1991); ta4j RWIHighIndicator.
 */
export function randomwalkindex(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const rising = frame.output(0)
  const falling = frame.output(1)
  const means = frame.state
  const period = frame.integer(0)
  const roots = means.from(period + 1)
  if (from === 0) {
    for (let m = 0; m <= period; m++) {
      means[m] = 0
      roots[m] = sqrt(<f64>m)
    }
  }
  warmup(rising, from, to, period)
  warmup(falling, from, to, period)
  const nothing = f64x2.splat(-Infinity)
  const one = f64x2.splat(1)
  for (let i = max(from, 1); i < to; i++) {
    const range = trueRange(high, low, close, i)
    // While the first means are summed, each length has its own last candle of the sum.
    if (i <= period) {
      for (let m = max(i, 2); m <= period; m++) means[m] = (means[m] + range) / (i === m ? <f64>m : 1)
    }
    const ready = min(i - 1, period)
    const ranges = f64x2.splat(range)
    let up = nothing
    let down = nothing
    // Two lengths at a time. The last lane may be that of a length behind the last one.
    const after = means[ready + 1]
    for (let m = 2; m <= ready; m += 2) {
      const sizes = f64x2.replace_lane(f64x2.splat(<f64>m), 1, <f64>(m + 1))
      const sum = f64x2.add(f64x2.mul(means.pair(m), f64x2.sub(sizes, one)), ranges)
      means.setPair(m, f64x2.div(sum, sizes))
    }
    means[ready + 1] = after
    if (i < period) continue
    const top = f64x2.splat(high[i])
    const bottom = f64x2.splat(low[i])
    for (let m = 2; m <= period; m += 2) {
      const mean = means.pair(m)
      const unit = f64x2.mul(mean, roots.pair(m))
      const last = i64x2.splat(m < period ? -1 : 0)
      const counts = v128.and(f64x2.gt(mean, f64x2.splat(0)), v128.or(last, i64x2(-1, 0)))
      const lows = low.pair(i - m)
      const highs = high.pair(i - m)
      const rise = f64x2.div(f64x2.sub(top, v128.shuffle<f64>(lows, lows, 1, 0)), unit)
      const fall = f64x2.div(f64x2.sub(v128.shuffle<f64>(highs, highs, 1, 0), bottom), unit)
      up = f64x2.max(up, v128.bitselect(rise, nothing, counts))
      down = f64x2.max(down, v128.bitselect(fall, nothing, counts))
    }
    const best = max(f64x2.extract_lane(up, 0), f64x2.extract_lane(up, 1))
    const worst = max(f64x2.extract_lane(down, 0), f64x2.extract_lane(down, 1))
    rising[i] = best > -Infinity ? best : NaN
    falling[i] = worst > -Infinity ? worst : NaN
  }
}
