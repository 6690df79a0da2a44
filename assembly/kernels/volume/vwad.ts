import { Column, Frame } from '../../frame'
import { moneyFlow } from '../../parts/shared/money-flow'
import { movingSum } from '../../parts/windows/sums'

/**
 * Volume Weighted Accumulation/Distribution: the running sum of f·s, where f is the money flow of a candle (as in `ad`)
 * and s its share of the volume of the last `period` candles. The first shares are of fewer candles; nothing is added
 * where high and low are equal or nothing was traded.
 * Source: QuanTAlib Vwad.
 */
export function vwad(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  growingSum(volume, out, from, min(to, period - 1))
  movingSum(volume, 0, out, max(from, period - 1), to, period, frame.scratch(0))
  let sum: f64 = from === 0 ? 0 : state[0]
  for (let i = from; i < to; i++) {
    const total = out[i]
    if (total !== 0) sum += (moneyFlow(high, low, close, volume, i) * volume[i]) / total
    out[i] = sum
  }
  state[0] = sum
}

/** Writes the sums since the first candle. */
function growingSum(x: Column, out: Column, from: i32, to: i32): void {
  if (from >= to) return
  let sum: f64 = 0
  for (let i = 0; i < to; i++) {
    sum += x[i]
    if (i >= from) out[i] = sum
  }
}
