import { Column } from '../../frame'
import { logRatios } from './fast-log'

/**
 * Writes the return of each candle in [from, to), the change since the candle before as a fraction of the value there;
 * NaN where that is 0. `out` is a scratch column.
 */
export function returnsOf(x: Column, out: Column, from: i32, to: i32): void {
  const zero = f64x2.splat(0)
  const none = f64x2.splat(NaN)
  for (let i = from; i < to; i += 2) {
    const before = x.pair(i - 1)
    const share = f64x2.div(f64x2.sub(x.pair(i), before), before)
    out.setPair(i, v128.bitselect(none, share, f64x2.eq(before, zero)))
  }
}

/** Writes ln(x[i] / x[i − lag]) for i in [from, to), NaN where one of them is not positive. `out` is a scratch column. */
export function logReturns(x: Column, out: Column, from: i32, to: i32, lag: i32 = 1): void {
  for (let i = from; i < to; i += 2) out.setPair(i, logRatios(x.pair(i), x.pair(i - lag)))
}
