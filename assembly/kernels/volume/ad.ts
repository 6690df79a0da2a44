import { Frame } from '../../frame'
import { moneyFlows } from '../../parts/shared/money-flow'

/**
 * Chaikin A/D Line: the running sum of the money flow, which is the volume times ((close − low) − (high − close)) /
 * (high − low).
 * Begins with the first candle's flow; a candle without a range adds nothing.
 * Source: Chaikin; TA-Lib 0.6 AD.
 */
export function ad(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const out = frame.output(0)
  const state = frame.state
  let line = from === 0 ? 0 : state[0]
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const flows = moneyFlows(high, low, close, volume, i)
    const first = line + f64x2.extract_lane(flows, 0)
    line = first + f64x2.extract_lane(flows, 1)
    out[i] = first
    out[i + 1] = line
  }
  out[to] = after
  state[0] = out[to - 1]
}
