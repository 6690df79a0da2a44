import { Frame } from '../../frame'

/**
 * Price Volume: the close times the volume, with `signed` negative where the close fell and 0 where it stayed.
 * The first candle counts as a rise.
 * Source: pandas-ta-classic pvol.
 */
export function pricevolume(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const out = frame.output(0)
  const isSigned = frame.integer(0) === 1
  let before = from === 0 ? -Infinity : frame.state[0]
  for (let i = from; i < to; i++) {
    const now = close[i]
    const sign = isSigned ? <f64>(i32(now > before) - i32(now < before)) : 1
    before = now
    out[i] = sign * (now * volume[i])
  }
  frame.state[0] = before
}
