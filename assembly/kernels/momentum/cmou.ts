import { Frame } from '../../frame'
import { areRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Chande Momentum Oscillator, unsmoothed: 100·(G − L) / (G + L), where G and L are the sums of the rises and of the falls
 * of the last `period` changes.
 * 0 where nothing moved (`cmo` smooths the sums as Wilder does).
 * Source: Chande and Kroll, The New Technical Trader (1994); Skender.Stock.Indicators Cmo.
 */
export function cmou(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const gains = frame.scratch(0).from(-oldest)
  const losses = frame.scratch(1).from(-oldest)
  const sums = frame.scratch(2).from(-oldest)
  const suffixes = frame.scratch(3)
  for (let i = oldest; i < to; i += 2) {
    const change = f64x2.sub(x.pair(i), x.pair(i - 1))
    const size = f64x2.abs(change)
    gains.setPair(i, f64x2.mul(f64x2.add(size, change), f64x2.splat(0.5)))
    losses.setPair(i, f64x2.mul(f64x2.sub(size, change), f64x2.splat(0.5)))
  }
  movingSum(gains, 1, out, first, to, period, suffixes)
  movingSum(losses, 1, sums, first, to, period, suffixes)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const total = f64x2.add(out.pair(i), sums.pair(i))
    const share = f64x2.div(f64x2.sub(out.pair(i), sums.pair(i)), total)
    out.setPair(i, v128.andnot(f64x2.mul(share, f64x2.splat(100)), areRounding(total, x.pair(i))))
  }
  out[to] = after
}
