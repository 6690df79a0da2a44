import { Frame } from '../../frame'

/**
 * On Balance Volume: the running sum of the volume, added when the close rose and taken away when it fell.
 * Begins with the first candle's volume (others begin with 0; the difference is constant).
 * Source: Granville, New Key to Stock Market Profits (1963); TA-Lib 0.6 OBV.
 */
export function obv(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const out = frame.output(0)
  const state = frame.state
  let balance = from === 0 ? 0 : state[0]
  // The first candle counts as a rise.
  let before = from === 0 ? -Infinity : state[1]
  for (let i = from; i < to; i++) {
    const now = close[i]
    balance += <f64>(<i32>(now > before) - <i32>(now < before)) * volume[i]
    before = now
    out[i] = balance
  }
  state[0] = balance
  state[1] = before
}
