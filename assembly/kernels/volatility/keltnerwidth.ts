import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Keltner Channel Width: the distance between the Keltner Channels as a share of their middle: twice `multiplier`
 * average true ranges of `atrLength` candles, divided by the exponential average of the close over `period` candles.
 * The channels are those of `keltnerchannels`; Pine averages the true range exponentially. No value where the middle is
 * 0.
 * Source: Pine ta.kcw; Connors and Raschke, Street Smarts (1995).
 */
export function keltnerwidth(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const width = f64x2.splat(2 * frame.number(1))
  const atrLength = frame.integer(2)
  const middles = frame.scratch(0).from(-from)
  averageTrueRange(frame.input(0), frame.input(1), close, out, from, to, atrLength, state)
  exponentialAverage(close, 0, middles, from, to, period, weightOf(period), state.from(exponentialState))
  const after = out[to]
  for (let i = warmup(out, from, to, max(period - 1, atrLength)); i < to; i += 2) {
    const middle = middles.pair(i)
    const share = f64x2.div(f64x2.mul(out.pair(i), width), middle)
    out.setPair(i, v128.bitselect(f64x2.splat(NaN), share, f64x2.eq(middle, f64x2.splat(0))))
  }
  out[to] = after
}
