import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Williams Accumulation/Distribution: the running sum of close − true low after a rise of the close, and close − true
 * high after a fall; the volume has no effect.
 * Begins with the second candle's change (others print 0 at the first); an equal close adds nothing.
 * Source: Williams, How I Made One Million Dollars (1973); Tulip Indicators wad.
 */
export function wad(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const state = frame.state
  let i = warmup(out, from, to, 1)
  if (i >= to) return
  let sum = i === 1 ? 0 : state[0]
  const after = out[to]
  for (; i < to; i += 2) {
    const both = changes(high.pair(i), low.pair(i), close.pair(i - 1), close.pair(i))
    const first = sum + f64x2.extract_lane(both, 0)
    sum = first + f64x2.extract_lane(both, 1)
    out[i] = first
    out[i + 1] = sum
  }
  out[to] = after
  state[0] = out[to - 1]
}

function changes(high: v128, low: v128, before: v128, close: v128): v128 {
  const gained = v128.and(f64x2.sub(close, f64x2.pmin(before, low)), f64x2.gt(close, before))
  const lost = v128.and(f64x2.sub(close, f64x2.pmax(before, high)), f64x2.lt(close, before))
  return v128.or(gained, lost)
}
