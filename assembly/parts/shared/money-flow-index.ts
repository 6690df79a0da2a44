import { Column, Frame } from '../../frame'
import { areMoves } from '../numbers/tie'
import { warmup } from '../numbers/warmup'
import { movingSum } from '../windows/sums'

/**
 * Money flow index 100·P / (P + N), where P and N are the sums of typical price times volume over those of `period`
 * candles whose typical price rose (P) or fell (N) by more than rounding; 0 where no money flowed. NaN before candle
 * `period`. Inputs: high, low, close, volume; parameter 0: period. Scratch columns: four from `scratch` on.
 */
export function moneyFlowIndex(frame: Frame, out: Column, from: i32, to: i32, scratch: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const period = frame.integer(0)
  const suffixes = frame.scratch(scratch + 3)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period
  const rising = frame.scratch(scratch).from(-oldest)
  const falling = frame.scratch(scratch + 1).from(-oldest)
  const lost = frame.scratch(scratch + 2).from(-first)
  // Uses three times the typical prices, because thirds would be rounded. The ratio is the same.
  let before = f64x2.splat(high[oldest] + low[oldest] + close[oldest])
  for (let i = oldest + 1; i < to; i += 2) {
    const now = f64x2.add(f64x2.add(high.pair(i), low.pair(i)), close.pair(i))
    const move = f64x2.sub(now, v128.shuffle<f64>(before, now, 1, 2))
    const flow = v128.and(f64x2.mul(now, volume.pair(i)), areMoves(f64x2.abs(move), now))
    const gain = v128.and(flow, f64x2.gt(move, f64x2.splat(0)))
    rising.setPair(i, gain)
    falling.setPair(i, v128.xor(flow, gain))
    before = now
  }
  movingSum(rising, 1, out, first, to, period, suffixes)
  movingSum(falling, 1, lost, first, to, period, suffixes)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const gained = out.pair(i)
    const sum = f64x2.add(gained, lost.pair(i))
    const share = f64x2.mul(f64x2.div(gained, sum), f64x2.splat(100))
    out.setPair(i, v128.and(share, f64x2.ne(sum, f64x2.splat(0))))
  }
  out[to] = after
}
