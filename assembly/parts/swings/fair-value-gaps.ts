import { Frame } from '../../frame'
import { averageTrueRange } from '../averages/average-true-range'
import { exponentialState } from '../averages/exponential-average'
import { warmup } from '../numbers/warmup'
import { Zones } from './zones'

/**
 * Adds the gap that candle `i` completes as the third of three candles, if it is at least `distance` wide: between the high
 * of the first and the low of the third (bullish), or the low of the first and the high of the third (bearish). Returns its
 * side, 0 without a gap.
 */
function addGap(gaps: Zones, firstHigh: f64, firstLow: f64, high: f64, low: f64, distance: f64): f64 {
  if (low > firstHigh && low - firstHigh >= distance) {
    gaps.push(1, low, firstHigh, 0)
    return 1
  }
  if (high < firstLow && firstLow - high >= distance) {
    gaps.push(-1, firstLow, high, 0)
    return -1
  }
  return 0
}

/**
 * The fair value gaps of the candles [from, to) by the rules of the kernels fvg and ifvg. Outputs: the gaps (`value`,
 * top, bottom, number of open gaps) or, if `isInverse`, the gaps that a close has passed (`value`, top, bottom). State:
 * the mean of the ATR, the open gaps, and the inverse ones if `isInverse`.
 */
export function fairValueGaps(frame: Frame, from: i32, to: i32, isInverse: bool): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const value = frame.output(0)
  const top = frame.output(1)
  const bottom = frame.output(2)
  const minGap = frame.number(0)
  const atrPeriod = frame.integer(1)
  const atr = frame.scratch(0)
  const gaps = Zones.of(frame.state.from(exponentialState))
  const inverses = isInverse ? Zones.of(frame.state.from(exponentialState + Zones.size)) : null
  if (from === 0) {
    gaps.reset()
    if (inverses !== null) inverses.reset()
  }
  const lookback = max(2, atrPeriod)
  const outputs = isInverse ? 3 : 4
  let first = from
  for (let k = 0; k < outputs; k++) first = warmup(frame.output(k), from, to, lookback)
  averageTrueRange(high, low, close, atr, from, to, atrPeriod, frame.state)
  for (let i = first; i < to; i++) {
    const distance = minGap * atr[i]
    if (inverses !== null) {
      inverses.remove(close[i], close[i])
      value[i] = 0 - 100 * gaps.remove(close[i], close[i], inverses)
      addGap(gaps, high[i - 2], low[i - 2], high[i], low[i], distance)
      inverses.writeBounds(top, bottom, i)
    } else {
      gaps.remove(low[i], high[i])
      value[i] = 100 * addGap(gaps, high[i - 2], low[i - 2], high[i], low[i], distance)
      gaps.writeBounds(top, bottom, i)
      frame.output(3)[i] = gaps.count
    }
  }
}
