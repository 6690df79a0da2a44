import { Column } from '../../frame'

/** The range of candle `i` stretched to the close before it. */
export function trueRange(high: Column, low: Column, close: Column, i: i32): f64 {
  return stretchedRange(high[i], low[i], close[i - 1])
}

/** The range from `bottom` to `top`, stretched to `before`: by vector extremes, which need no branch. */
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

/** Writes the true ranges of the candles [from, to) to `out`; `from ≥ 1`. */
export function trueRanges(high: Column, low: Column, close: Column, out: Column, from: i32, to: i32): void {
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const before = close.pair(i - 1)
    out.setPair(i, f64x2.sub(f64x2.pmax(high.pair(i), before), f64x2.pmin(low.pair(i), before)))
  }
  out[to] = after
}

/**
 * Average true range by Wilder's smoothing: NaN before candle `period`, seeded there with the mean of the true ranges
 * of the candles 1 … period. State: one number (the sum while seeding, the mean afterwards).
 * For kernels that need it beside other things; `atr` takes an exponential average of all true ranges, eight candles at a time, and `natr` two.
 */
export function averageTrueRange(
  high: Column,
  low: Column,
  close: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
): void {
  const share = 1 / <f64>period
  const keep = 1 - share
  let mean = from === 0 ? 0 : state[0]
  let i = from
  if (i === 0 && i < to) {
    out[0] = NaN
    i = 1
  }
  for (const end = min(to, period + 1); i < end; i++) {
    mean += trueRange(high, low, close, i)
    if (i === period) mean *= share
    out[i] = i === period ? mean : NaN
  }
  for (; i < to; i++) {
    mean = mean * keep + trueRange(high, low, close, i) * share
    out[i] = mean
  }
  state[0] = mean
}
