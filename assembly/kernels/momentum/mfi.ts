import { Frame } from '../../frame'
import { movingSum } from '../../parts/sums'
import { warmup } from '../../parts/warmup'

/**
 * Money Flow Index: 100·P / (P + N), where P and N are the sums over `period` candles of typical price times volume of
 * the candles whose typical price rose and fell.
 * 0 where no money flowed (TA-Lib prints 0 for any flow below 1, so for every market of small prices and volumes).
 * Source: Quong and Soudack, Technical Analysis of Stocks & Commodities (1989); TA-Lib 0.6 MFI.
 */
export function mfi(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period
  const typical = frame.scratch(0).from(-oldest)
  const rising = frame.scratch(1).from(-oldest)
  const falling = frame.scratch(2).from(-oldest)
  const suffixes = frame.scratch(3)
  for (let i = oldest; i < to; i += 2) {
    const sum = f64x2.add(f64x2.add(high.pair(i), low.pair(i)), close.pair(i))
    typical.setPair(i, f64x2.div(sum, f64x2.splat(3)))
  }
  for (let i = oldest + 1; i < to; i += 2) {
    const now = typical.pair(i)
    const before = typical.pair(i - 1)
    const flow = f64x2.mul(now, volume.pair(i))
    rising.setPair(i, v128.and(flow, f64x2.gt(now, before)))
    falling.setPair(i, v128.and(flow, f64x2.lt(now, before)))
  }
  movingSum(rising, 1, out, first, to, period, suffixes)
  // Typical prices are no longer needed: their column takes the sums.
  movingSum(falling, 1, typical, first, to, period, suffixes)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const rises = out.pair(i)
    const sum = f64x2.add(rises, typical.pair(i))
    const share = f64x2.div(f64x2.mul(rises, f64x2.splat(100)), sum)
    out.setPair(i, v128.and(share, f64x2.ne(sum, f64x2.splat(0))))
  }
  out[to] = after
}
