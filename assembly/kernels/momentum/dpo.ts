import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { differenceToMean } from '../../parts/windows/sums'

/**
 * Detrended Price Oscillator: the value period / 2 + 1 candles ago (the half rounded down) minus the mean of the last
 * `period` values.
 * Values are not shifted into the past. Others plot the value at the candle of its price; TradingView subtracts the
 * mean of period / 2 + 1 candles ago from the newest value.
 * Source: Tulip dpo.
 */
export function dpo(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const back = period / 2 + 1
  const first = warmup(out, from, to, max(period - 1, back))
  differenceToMean(x.from(-back), x, 0, out, first, to, period, frame.scratch(0))
}
