import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Percent Rank: the share, in percent, of the `period` values before the newest one that are not above it. With
 * `compare` less, only values below it count, as in ta4j and in the Connors RSI.
 * Source: Pine ta.percentrank, as PyneCore measured it.
 */
export function percentrank(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const countsEqual = frame.integer(1) === 0
  const share = 100 / <f64>period
  const none = f64x2.splat(NaN)
  const after = out[to]
  for (let i = warmup(out, from, to, period); i < to; i += 2) {
    const now = x.pair(i)
    // A mask is −1 as an integer.
    let counts = i64x2.splat(0)
    let missing = f64x2.ne(now, now)
    if (countsEqual) {
      for (let k = 1; k <= period; k++) {
        const value = x.pair(i - k)
        counts = i64x2.sub(counts, f64x2.le(value, now))
        missing = v128.or(missing, f64x2.ne(value, value))
      }
    } else {
      for (let k = 1; k <= period; k++) {
        const value = x.pair(i - k)
        counts = i64x2.sub(counts, f64x2.lt(value, now))
        missing = v128.or(missing, f64x2.ne(value, value))
      }
    }
    const pair = f64x2.replace_lane(
      f64x2.splat(share * <f64>i64x2.extract_lane(counts, 0)),
      1,
      share * <f64>i64x2.extract_lane(counts, 1),
    )
    out.setPair(i, v128.bitselect(none, pair, missing))
  }
  out[to] = after
}
