import { Frame } from '../../frame'
import { Filter, setBandPass, setHighPass } from '../../parts/averages/recursive-filter'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Band-pass Filter: the part of the value with cycles around `period` candles. `normalized` is the value divided by its
 * own peak, which decays by 0.9 % per candle; `trigger` is a high-pass filter of `normalized`, ahead of it. `signal` is
 * 1 while `normalized` is below the trigger, −1 while it is above.
 * Everything starts at 0; the periods of the two high-pass filters are not rounded, and their gain is 1 + α/2
 * (VectorTA: 1 − α/2).
 * Source: Ehlers, Cycle Analytics for Traders (2013), chapter 5.
 */
export function bandpass(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const normalized = frame.output(1)
  const signal = frame.output(2)
  const trigger = frame.output(3)
  const state = frame.state
  const period = frame.integer(0)
  const bandwidth = frame.number(1)
  const first = Filter.at(state)
  const band = Filter.at(state.from(Filter.size))
  const last = Filter.at(state.from(2 * Filter.size))
  const peaks = state.from(3 * Filter.size)
  if (from === 0) {
    setHighPass(first, (4 * <f64>period) / bandwidth, true)
    setBandPass(band, <f64>period, bandwidth)
    setHighPass(last, <f64>period / bandwidth / 1.5, true)
    peaks[0] = 0
  }
  first.run(frame.input(0), value, from, to, 1, false)
  band.run(value, value, from, to, 2, false)
  let peak = peaks[0]
  for (let i = from; i < to; i++) {
    peak = max(0.991 * peak, abs(value[i]))
    normalized[i] = peak > 0 ? value[i] / peak : 0
  }
  peaks[0] = peak
  last.run(normalized, trigger, from, to, 1, false)
  for (let i = from; i < to; i++)
    signal[i] = <f64>i32(normalized[i] < trigger[i]) - <f64>i32(normalized[i] > trigger[i])
  for (let k = 0; k < 4; k++) warmup(frame.output(k), from, to, period - 1)
}
