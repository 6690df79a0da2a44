import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Volume Oscillator: the mean volume of the short period minus that of the long one, in percent of the latter.
 * 0 where nothing was traded in the long period.
 * Source: Tulip Indicators vosc.
 */
export function vosc(frame: Frame, from: i32, to: i32): void {
  const volume = frame.input(0)
  const out = frame.output(0)
  const shortPeriod = frame.integer(0)
  const longPeriod = frame.integer(1)
  const suffixes = frame.scratch(1)
  const first = warmup(out, from, to, max(shortPeriod, longPeriod) - 1)
  const longSums = frame.scratch(0).from(-first)
  movingSum(volume, 0, out, first, to, shortPeriod, suffixes)
  movingSum(volume, 0, longSums, first, to, longPeriod, suffixes)
  const scale = (100 * <f64>longPeriod) / <f64>shortPeriod
  const zero = f64x2.splat(0)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const whole = longSums.pair(i)
    const share = f64x2.div(f64x2.mul(out.pair(i), f64x2.splat(scale)), whole)
    const above = f64x2.sub(share, f64x2.splat(100))
    out.setPair(i, v128.and(above, f64x2.ne(whole, zero)))
  }
  out[to] = after
}
