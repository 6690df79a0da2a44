import { Frame } from '../../frame'
import { movingMean, movingWeightedMean } from '../../parts/sums'
import { warmup } from '../../parts/warmup'

/**
 * Forecast Oscillator: how far the value lies above the forecast of the regression line through the `period` values before
 * it, in percent of the value.
 * The forecast is made without the value it is compared with (others include it); without a value where the price is 0.
 * Source: Chande and Kroll, The New Technical Trader (1994); Tulip fosc.
 */
export function fosc(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const before = x.from(-1)
  const weighted = frame.scratch(0).from(-first)
  const suffixes = frame.scratch(1)
  movingMean(before, 1, out, first, to, period, suffixes)
  movingWeightedMean(before, 1, weighted, first, to, period, suffixes)
  // The line ends at W + 2·(W − M) and climbs 6·(W − M) / (period − 1) a candle, M the mean, W the weighted mean.
  const step = f64x2.splat(2 + 6 / <f64>(period - 1))
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    out.setPair(i, error(x.pair(i), out.pair(i), weighted.pair(i), step))
  }
  out[to] = after
}

/** The value above its forecast in percent of the value; NaN where that is 0. */
function error(value: v128, mean: v128, weightedMean: v128, step: v128): v128 {
  const forecast = f64x2.add(weightedMean, f64x2.mul(f64x2.sub(weightedMean, mean), step))
  const share = f64x2.div(f64x2.mul(f64x2.sub(value, forecast), f64x2.splat(100)), value)
  return v128.bitselect(share, f64x2.splat(NaN), f64x2.ne(value, f64x2.splat(0)))
}
