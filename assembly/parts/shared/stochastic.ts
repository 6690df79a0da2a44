import { Column } from '../../frame'
import { areRounding } from '../numbers/tie'
import { movingRange } from '../windows/extremes'
import { movingMean } from '../windows/sums'

/**
 * Raw stochastic: the position of the close between the lowest low (0) and the highest high (100) of `period` candles;
 * 0 where they are equal but for rounding, as in TA-Lib. Columns have values from `start` on; `from ≥ start + period −
 * 1`. `lowest` receives the lows of [from, to); `suffixes` holds at least 2·period + 2 values.
 */
export function stochastic(
  high: Column,
  low: Column,
  close: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  lowest: Column,
  suffixes: Column,
): void {
  movingRange(high, low, start, out, lowest, from, to, period, suffixes)
  const hundred = f64x2.splat(100)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const bottom = lowest.pair(i)
    const range = f64x2.sub(out.pair(i), bottom)
    const share = f64x2.mul(f64x2.div(f64x2.sub(close.pair(i), bottom), range), hundred)
    out.setPair(i, v128.andnot(share, areRounding(range, bottom)))
  }
  out[to] = after
}

/**
 * Stochastic with both its lines: K is the mean of `kSmooth` raw values, D the mean of `dPeriod` values of K.
 * NaN before candle `start + kPeriod + kSmooth + dPeriod − 3`, as TA-Lib does for both. Columns have values from
 * `start` on and are read that far back at most. `raw`, `slow` and `suffixes` are scratch columns.
 */
export function stochasticLines(
  high: Column,
  low: Column,
  close: Column,
  start: i32,
  k: Column,
  d: Column,
  from: i32,
  to: i32,
  kPeriod: i32,
  kSmooth: i32,
  dPeriod: i32,
  raw: Column,
  slow: Column,
  suffixes: Column,
): void {
  const rawStart = start + kPeriod - 1
  const slowStart = rawStart + kSmooth - 1
  const lookback = slowStart + dPeriod - 1
  for (let i = from, end = min(to, lookback); i < end; i++) {
    k[i] = NaN
    d[i] = NaN
  }
  const first = max(from, lookback)
  if (first >= to) return
  const slowFrom = first - dPeriod + 1
  const rawFrom = slowFrom - kSmooth + 1
  const rawAt = raw.from(-rawFrom)
  const slowAt = slow.from(-slowFrom)
  stochastic(high, low, close, start, rawAt, rawFrom, to, kPeriod, slow.from(-rawFrom), suffixes)
  movingMean(rawAt, rawStart, slowAt, slowFrom, to, kSmooth, suffixes)
  movingMean(slowAt, slowStart, d, first, to, dPeriod, suffixes)
  for (let i = first; i < to; i++) k[i] = slowAt[i]
}
