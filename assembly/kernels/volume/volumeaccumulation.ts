import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Volume Accumulation: the running sum of the volume times the distance of the close from the middle of its candle;
 * `oscillator` is the mean of these products over `period` candles.
 * The sum begins with the first candle. ooples counts the whole volume if the close is the middle.
 * Source: QuanTAlib Va; ooples CalculateVolumeAccumulationOscillator.
 */
export function volumeaccumulation(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const oscillator = frame.output(1)
  const state = frame.state
  const period = frame.integer(0)
  const first = warmup(oscillator, from, to, period - 1)
  const oldest = max(0, from - period + 1)
  const flows = frame.scratch(0).from(-oldest)
  for (let i = oldest; i < to; i += 2) {
    const middle = f64x2.mul(f64x2.add(frame.input(0).pair(i), frame.input(1).pair(i)), f64x2.splat(0.5))
    flows.setPair(i, f64x2.mul(frame.input(3).pair(i), f64x2.sub(frame.input(2).pair(i), middle)))
  }
  let sum = from === 0 ? 0 : state[0]
  for (let i = from; i < to; i++) {
    sum += flows[i]
    value[i] = sum
  }
  state[0] = sum
  movingMean(flows, 0, oscillator, first, to, period, frame.scratch(1))
}
