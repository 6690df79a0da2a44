import { Frame } from '../../frame'

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
  let level = from === 0 ? x[0] : state[0]
  let change = from === 0 ? 0 : state[1]
  let second = from === 0 ? 0 : state[2]
  let square = from === 0 ? 0 : state[3]
  let distance = from === 0 ? 0 : state[4]
  for (let i = from; i < to; i++) {
    const nextLevel = (1 - na) * (level + change + 0.5 * second) + na * x[i]
    const nextChange = (1 - nb) * (change + second) + nb * (nextLevel - level)
    second = (1 - nc) * second + nc * (nextChange - change)
    level = nextLevel
    change = nextChange
    const middle = level + change + 0.5 * second
    const width = frame.number(4) * sqrt(square)
    frame.output(0)[i] = middle + width
    frame.output(1)[i] = middle
    frame.output(2)[i] = middle - width
    square = (1 - nd) * square + nd * distance * distance
    distance = x[i] - middle
  }
  state[0] = level
  state[1] = change
  state[2] = second
  state[3] = square
  state[4] = distance
}
