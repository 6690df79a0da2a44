import { Frame } from '../../frame'
import { trueRange } from '../../parts/candles/true-range'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Random Walk Index: `high` is the largest, over all lengths m from 2 to `period`, of the distance of the high above
 * the low m candles before, divided by √m mean true ranges of the previous m candles. `low` is the same for the fall
 * from a high to the low. A length without range is skipped; 0 if no length has a range. ta4j smooths the ranges as
 * Wilder does, includes the newest candle, and looks back m − 1 candles; OoplesFinance uses only the longest length.
 * Source: Poulos, Of Trends and Random Walks, Stocks & Commodities (February 1991), as MetaStock has it.
 */
export function randomwalkindex(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const rising = frame.output(0)
  const falling = frame.output(1)
  const period = frame.integer(0)
  const sums = frame.scratch(1)
  const roots = frame.scratch(2)
  const first = warmup(rising, from, to, period + 1)
  warmup(falling, from, to, period + 1)
  if (first >= to) return
  const oldest = first - period
  const ranges = frame.scratch(0).from(-oldest)
  for (let i = oldest; i < to; i++) ranges[i] = trueRange(high, low, close, i)
  for (let m = 0; m <= period + 1; m++) roots[m] = sqrt(<f64>m)
  const nothing = f64x2.splat(-Infinity)
  for (let i = first; i < to; i++) {
    let sum: f64 = 0
    for (let m = 1; m <= period; m++) {
      sum += ranges[i - m]
      sums[m] = sum
    }
    // The last lane may belong to a length beyond the last one. Its sum equals that of the last, so it is skipped
    // below.
    sums[period + 1] = 0
    let up = nothing
    let down = nothing
    const top = f64x2.splat(high[i])
    const bottom = f64x2.splat(low[i])
    for (let m = 2; m <= period; m += 2) {
      const total = sums.pair(m)
      // distance / (mean range·√m) = distance·√m / sum of ranges
      const unit = f64x2.div(roots.pair(m), total)
      const counts = f64x2.gt(total, f64x2.splat(0))
      const lows = low.pair(i - m - 1)
      const highs = high.pair(i - m - 1)
      const rise = f64x2.mul(f64x2.sub(top, v128.shuffle<f64>(lows, lows, 1, 0)), unit)
      const fall = f64x2.mul(f64x2.sub(v128.shuffle<f64>(highs, highs, 1, 0), bottom), unit)
      up = f64x2.pmax(up, v128.bitselect(rise, nothing, counts))
      down = f64x2.pmax(down, v128.bitselect(fall, nothing, counts))
    }
    const best = max(f64x2.extract_lane(up, 0), f64x2.extract_lane(up, 1))
    const worst = max(f64x2.extract_lane(down, 0), f64x2.extract_lane(down, 1))
    rising[i] = best > -Infinity ? best : 0
    falling[i] = worst > -Infinity ? worst : 0
  }
}
