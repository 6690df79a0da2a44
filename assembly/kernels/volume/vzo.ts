import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Volume Zone Oscillator: the exponential average of the volume, negative where the close did not rise, in percent of
 * the exponential average of the volume.
 * An unchanged close counts as a fall (thinkorswim: as 0). Averages are seeded with means; 0 where nothing was traded.
 * Source: Khalil and Steckler, In the Volume Zone, Stocks & Commodities (May 2011).
 */
export function vzo(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const signed = frame.scratch(0).from(1 - from)
  const totals = frame.scratch(1).from(-from)
  const isNegative = f64x2.splat(-0.0)
  for (let i = max(from, 1); i < to; i += 2) {
    const hasRisen = f64x2.gt(close.pair(i), close.pair(i - 1))
    signed.setPair(i, v128.xor(volume.pair(i), v128.andnot(isNegative, hasRisen)))
  }
  exponentialAverage(signed, 1, out, from, to, period, weightOf(period), state)
  exponentialAverage(volume, 1, totals, from, to, period, weightOf(period), state.from(exponentialState))
  const after = out[to]
  for (let i = warmup(out, from, to, period); i < to; i += 2) {
    const total = totals.pair(i)
    const share = f64x2.mul(f64x2.div(out.pair(i), total), f64x2.splat(100))
    out.setPair(i, v128.andnot(share, f64x2.eq(total, f64x2.splat(0))))
  }
  out[to] = after
}
