import { Frame } from '../../frame'
import { isRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean, movingSum } from '../../parts/windows/sums'

/**
 * Trend Intensity Index: of the distances of the last `period` values from their means over `maPeriod` candles, the
 * share of those above the mean, in percent.
 * Source: Pee, Trend Intensity Index, Stocks & Commodities (June 2002).
 */
export function trendintensity(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const maPeriod = frame.integer(0)
  const period = frame.integer(1)
  const first = warmup(out, from, to, maPeriod + period - 2)
  if (first >= to) return
  const oldest = first - period + 1
  const above = frame.scratch(0).from(-oldest)
  const below = frame.scratch(1).from(-oldest)
  const falls = frame.scratch(2).from(-oldest)
  const suffixes = frame.scratch(3)
  movingMean(x, 0, falls, oldest, to, maPeriod, suffixes)
  for (let i = oldest; i < to; i++) {
    const distance = x[i] - falls[i]
    const size = isRounding(abs(distance), x[i]) ? 0 : abs(distance)
    above[i] = distance > 0 ? size : 0
    below[i] = size
  }
  movingSum(above, maPeriod - 1, out, first, to, period, suffixes)
  movingSum(below, maPeriod - 1, falls, first, to, period, suffixes)
  for (let i = first; i < to; i++) out[i] = falls[i] !== 0 ? 100 * (out[i] / falls[i]) : 50
}
