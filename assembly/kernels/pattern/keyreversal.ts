import { Frame } from '../../frame'
import { hundreds } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'
import { movingRange } from '../../parts/windows/extremes'

/**
 * Key Reversal: 100 where the low is below that of each of the `period` candles before and the close above the one
 * before, −100 where the high is above each of them and the close below the one before.
 * Source: NinjaTrader KeyReversalUp and KeyReversalDown.
 */
export function keyreversal(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const highest = frame.scratch(0).from(-first)
  const lowest = frame.scratch(1).from(-first)
  // The extremes before candle i are those of the window that ends one candle earlier.
  const suffixes = frame.scratch(2)
  movingRange(high, low, 0, highest.from(1), lowest.from(1), first - 1, to - 1, period, suffixes)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const now = close.pair(i)
    const before = close.pair(i - 1)
    const isUp = v128.and(f64x2.lt(low.pair(i), lowest.pair(i)), f64x2.gt(now, before))
    const isDown = v128.and(f64x2.gt(high.pair(i), highest.pair(i)), f64x2.lt(now, before))
    out.setPair(i, hundreds(isUp, isDown))
  }
  out[to] = after
}
