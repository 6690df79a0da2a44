import { Frame } from '../../frame'
import { hundreds, sumTenBefore } from '../../parts/numbers/simd'
import { areLonger, areMoves } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Above and Below the Stomach. 100 where a black candle is followed by a white one that opens and closes at or above
 * the middle of its body; −100 where a long white candle is followed by one of any colour that opens below the middle
 * of its body and closes at or below it.
 * Long means longer than the mean body of the ten candles before. Bulkowski also asks for a trend before, which is
 * ignored.
 * Source: Bulkowski, Encyclopedia of Candlestick Charts (2008), above the stomach and below the stomach.
 */
export function stomach(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const close = frame.input(1)
  const out = frame.output(0)
  const bodies = frame.scratch(0)
  const start = warmup(out, from, to, 11)
  sumTenBefore(open, close, bodies, start - 1, to)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const openBefore = open.pair(i - 1)
    const closeBefore = close.pair(i - 1)
    const body = f64x2.sub(closeBefore, openBefore)
    const middle = f64x2.mul(f64x2.add(openBefore, closeBefore), f64x2.splat(0.5))
    const opens = open.pair(i)
    const closes = close.pair(i)
    const opensLower = areMoves(f64x2.sub(middle, opens), middle)
    const isAbove = v128.and(v128.not(opensLower), f64x2.gt(closes, opens))
    const isBelow = v128.andnot(opensLower, areMoves(f64x2.sub(closes, middle), middle))
    const isLong = areLonger(body, f64x2.mul(bodies.pair(i - 1), f64x2.splat(0.1)))
    const isBlack = f64x2.lt(closeBefore, openBefore)
    out.setPair(i, hundreds(v128.and(isBlack, isAbove), v128.and(isLong, isBelow)))
  }
  out[to] = after
}
