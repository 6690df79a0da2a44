import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { exponentialState } from '../../parts/averages/exponential-average'
import { warmup } from '../../parts/numbers/warmup'
import { movingRange } from '../../parts/windows/extremes'

/**
 * Consolidation Range: the price stays within a range. Without a range, one begins at the candle at which the highest
 * and the lowest close of the last `period` candles are at most `widthATR` times the ATR (`atrPeriod` candles) of that
 * candle apart. The highest high and the lowest low of these candles are its `top` and `bottom`, which stay unchanged.
 * It lasts until a candle closes above the top (`breakValue` 100) or below the bottom (−100); wicks do not end it. The
 * next range can begin at the candle after that.
 * `inside` is true from the first candle of the range to the last one before the break; `top` and `bottom` are given at
 * the candle of the break as well.
 * Source: LuxAlgo, Range Detector, whose closes lie within one ATR of their mean (it draws that distance, and joins
 * ranges that overlap).
 */
export function consolidation(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const period = frame.integer(0)
  const width = frame.number(1)
  const atrPeriod = frame.integer(2)
  const state = frame.state
  const atr = frame.scratch(0)
  const highest = frame.scratch(1)
  const lowest = frame.scratch(2)
  const lookback = max(period - 1, atrPeriod)
  let first = from
  for (let k = 0; k < 4; k++) first = warmup(frame.output(k), from, to, lookback)
  averageTrueRange(high, low, close, atr, from, to, atrPeriod, state)
  movingRange(close, close, 0, highest, lowest, first, to, period, frame.scratch(3))
  let top = from === 0 ? NaN : state[exponentialState]
  let bottom = from === 0 ? NaN : state[exponentialState + 1]
  for (let i = first; i < to; i++) {
    let side: f64 = 0
    // False without a range, because both are NaN.
    if (top >= bottom) side = close[i] > top ? 1 : close[i] < bottom ? -1 : 0
    else if (highest[i] - lowest[i] <= width * atr[i]) {
      top = high[i]
      bottom = low[i]
      for (let k = i - period + 1; k < i; k++) {
        top = max(top, high[k])
        bottom = min(bottom, low[k])
      }
    }
    frame.output(0)[i] = top >= bottom && side === 0 ? 1 : 0
    frame.output(1)[i] = top
    frame.output(2)[i] = bottom
    frame.output(3)[i] = 100 * side
    if (side !== 0) {
      top = NaN
      bottom = NaN
    }
  }
  state[exponentialState] = top
  state[exponentialState + 1] = bottom
}
