import { Frame } from '../../frame'

/**
 * Trade Volume Index: the running sum of the volume, added after the close rose by more than `minTick`, and subtracted
 * after it fell by more. A smaller change keeps the direction, which is up at the first candle. `minTick` is in the
 * unit of the prices, or in per cent of the close before with `unit` percent.
 * Source: MetaStock, Trade Volume Index; QuanTAlib Tvi.
 */
export function tradevolumeindex(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const out = frame.output(0)
  const state = frame.state
  const minTick = frame.number(0)
  const isPercent = frame.integer(1) === 1
  let sum = from === 0 ? 0 : state[0]
  let before = from === 0 ? close[0] : state[1]
  let direction: i32 = from === 0 ? 1 : <i32>state[2]
  for (let i = from; i < to; i++) {
    const change = close[i] - before
    const tick = isPercent ? (minTick * abs(before)) / 100 : minTick
    const side = <i32>(change > tick) - <i32>(change < -tick)
    direction = side + direction * (1 - side * side)
    sum += <f64>direction * volume[i]
    before = close[i]
    out[i] = sum
  }
  state[0] = sum
  state[1] = before
  state[2] = <f64>direction
}
