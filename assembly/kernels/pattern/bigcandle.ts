import { Frame } from '../../frame'
import { signedHundred } from '../../parts/numbers/simd'
import { areLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { distancesBefore } from '../../parts/windows/sum-before'

/**
 * Big Candle: 100 where close − open is more than `factor` times the mean body of the previous `period` candles, −100
 * where open − close is.
 * Source: Tulip candles, big_white_candle and big_black_candle.
 */
export function bigcandle(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const close = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const size = f64x2.splat(<f64>period)
  const factor = f64x2.splat(frame.number(1))
  const minus = f64x2.splat(-0.0)
  const first = warmup(out, from, to, period)
  const sums = frame.scratch(0).from(-first)
  distancesBefore(open, close, sums, first, to, period, frame.scratch(1), frame.scratch(2))
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const body = f64x2.sub(close.pair(i), open.pair(i))
    const least = f64x2.mul(factor, f64x2.div(sums.pair(i), size))
    out.setPair(i, signedHundred(areLonger(f64x2.abs(body), least), v128.and(body, minus)))
  }
  out[to] = after
}
