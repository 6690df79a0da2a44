import { Column } from '../../frame'

/** The range of candle `i`, extended to the previous close. */
export function trueRange(high: Column, low: Column, close: Column, i: i32): f64 {
  return stretchedRange(high[i], low[i], close[i - 1])
}

/** The range from `bottom` to `top`, extended to `before`. Uses vector extremes, which need no branch. */
export function stretchedRange(top: f64, bottom: f64, before: f64): f64 {
  const close = f64x2.splat(before)
  const highest = f64x2.pmax(f64x2.splat(top), close)
  return f64x2.extract_lane(f64x2.sub(highest, f64x2.pmin(f64x2.splat(bottom), close)), 0)
}

/** The true ranges of the candles `i` and `i + 1`. */
export function pairOfTrueRanges(high: Column, low: Column, close: Column, i: i32): v128 {
  const before = close.pair(i - 1)
  return f64x2.sub(f64x2.pmax(high.pair(i), before), f64x2.pmin(low.pair(i), before))
}

/**
 * Writes the true ranges of the candles [from, to) to `out`; `from ≥ 1`. The loop has no call, so the compiler unrolls
 * it to four pairs.
 */
export function trueRanges(high: Column, low: Column, close: Column, out: Column, from: i32, to: i32): void {
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const before = close.pair(i - 1)
    out.setPair(i, f64x2.sub(f64x2.pmax(high.pair(i), before), f64x2.pmin(low.pair(i), before)))
  }
  out[to] = after
}
