import { Frame } from '../../frame'

/**
 * Price Volume Trend: the running sum of the volume times the relative change of the close.
 * 0 at the first candle; a fraction (pandas-ta: percent). A change from 0 adds nothing.
 * Source: TradingView, ta.pvt; trading-signals PVT.
 */
export function pvt(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const out = frame.output(0)
  const state = frame.state
  let sum = from === 0 ? 0 : state[0]
  let before = from === 0 ? 0 : state[1]
  for (let i = from; i < to; i++) {
    const now = close[i]
    if (before !== 0) sum += (volume[i] * (now - before)) / before
    out[i] = sum
    before = now
  }
  state[0] = sum
  state[1] = before
}
