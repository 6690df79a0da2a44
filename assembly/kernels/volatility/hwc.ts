import { Frame } from '../../frame'
import { HoltWinters } from '../../parts/averages/holt-winters'

/**
 * Holt-Winter Channel: the Holt-Winters moving average (`hwma`), and `multiplier` times the root of its smoothed squared
 * distances from the value above and below it.
 * The squares lag by a candle, as in the script.
 * Source: rengel8, Holt-Winter Channel (TradingView); pandas-ta-classic hwc.
 */
export function hwc(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const state = frame.state
  const na = frame.number(0)
  const nb = frame.number(1)
  const nc = frame.number(2)
  const nd = frame.number(3)
  const smoothed = changetype<HoltWinters>(state)
  if (from === 0) smoothed.reset(x[0])
  let square = from === 0 ? 0 : state[HoltWinters.size]
  let distance = from === 0 ? 0 : state[HoltWinters.size + 1]
  for (let i = from; i < to; i++) {
    const middle = smoothed.step(x[i], na, nb, nc)
    const width = frame.number(4) * sqrt(square)
    frame.output(0)[i] = middle + width
    frame.output(1)[i] = middle
    frame.output(2)[i] = middle - width
    square = (1 - nd) * square + nd * distance * distance
    distance = x[i] - middle
  }
  state[HoltWinters.size] = square
  state[HoltWinters.size + 1] = distance
}
