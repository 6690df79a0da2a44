import { Column, Frame } from '../../frame'
import { logReturns } from '../../parts/numbers/returns'
import { rounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { deviationAlone } from '../../parts/windows/deviation'
import { movingMean } from '../../parts/windows/sums'

/**
 * Historical Volatility Percentile: the share of the last `rankPeriod` volatilities below that of the candle, in
 * percent; `signal` is its mean. A volatility is the sample deviation of `period` logarithmic returns.
 * The volatility of the candle itself counts among the `rankPeriod`. No value while a price is not positive.
 * Source: ooples CalculateHistoricalVolatilityPercentile.
 */
export function hvpercentile(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const signal = frame.output(1)
  const period = frame.integer(0)
  const rankPeriod = frame.integer(1)
  const tail = frame.integer(2) - 1
  const start = period + rankPeriod - 1
  const first = warmup(value, from, to, start)
  const signalFrom = warmup(signal, from, to, start + tail)
  if (first >= to) return
  // The signal reads ranks before the first one of this call.
  const ranksFrom = max(start, from - tail)
  const oldest = ranksFrom - rankPeriod + 1
  const returns = frame.scratch(0).from(period - 1 - oldest)
  const spreads = frame.scratch(1).from(-oldest)
  const ranks = frame.scratch(2).from(-ranksFrom)
  const size = <f64>period
  logReturns(frame.input(0), returns, oldest - period + 1, to)
  deviationAlone(returns, 1, spreads, oldest, to, period, frame.scratch(3), sqrt(size / (size - 1)))
  rankLast(spreads, oldest, ranks, ranksFrom, to, rankPeriod)
  for (let i = first; i < to; i++) value[i] = ranks[i]
  movingMean(ranks, start, signal, signalFrom, to, tail + 1, frame.scratch(3))
}

/**
 * Writes the share of the last `period` values that are below each value in [from, to) by more than rounding, in
 * percent; NaN where one of them is missing. `x` has values from `start` on.
 */
function rankLast(x: Column, start: i32, out: Column, from: i32, to: i32, period: i32): void {
  let present: i32 = 0
  for (let i = start; i < from; i++) present = isNaN(x[i]) ? 0 : present + 1
  const share = 100 / <f64>period
  for (let i = from; i < to; i++) {
    present = isNaN(x[i]) ? 0 : present + 1
    if (present < period) {
      out[i] = NaN
      continue
    }
    // A set mask is −1. Of two volatilities that are equal but for rounding, neither is below the other.
    const least = (1 - rounding) * x[i]
    const value = f64x2.splat(least)
    let some = i64x2.splat(0)
    let others = i64x2.splat(0)
    let j = i - period + 1
    for (; j + 3 < i; j += 4) {
      some = i64x2.sub(some, f64x2.lt(x.pair(j), value))
      others = i64x2.sub(others, f64x2.lt(x.pair(j + 2), value))
    }
    const both = i64x2.add(some, others)
    let below = i64x2.extract_lane(both, 0) + i64x2.extract_lane(both, 1)
    for (; j < i; j++) below += x[j] < least ? 1 : 0
    out[i] = share * <f64>below
  }
}
