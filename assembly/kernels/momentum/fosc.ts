import { Frame } from '../../frame'
import { movingMean, movingWeightedMean } from '../../parts/sums'
import { warmup } from '../../parts/warmup'

/**
 * Forecast Oscillator: how far the value lies above the one that the regression line through the `period` values before
 * it foretold, in percent of the value.
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
  // The line ends at 3·W − 2·M and climbs 6·(W − M) / (period − 1) a candle, M the mean, W the weighted mean.
  const climb = 6 / <f64>(period - 1)
  for (let i = first; i < to; i++) {
    const now = x[i]
    const lead = weighted[i] - out[i]
    const forecast = weighted[i] + 2 * lead + lead * climb
    out[i] = now !== 0 ? (100 * (now - forecast)) / now : NaN
  }
}
