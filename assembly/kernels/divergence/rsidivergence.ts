import { Frame } from '../../frame'
import { relativeStrength, strengthState } from '../../parts/shared/rsi'
import { findDivergences, oscillatorColumn, Size } from '../../parts/swings/divergence'

/**
 * RSI divergence: the price and its relative strength index turn in opposite directions from one pivot of the
 * oscillator to the next on the same side, minSpan to maxSpan candles later. Regular: a lower low of the price at a
 * higher low of the oscillator (100), or a higher high at a lower high (−100). Hidden: a higher low at a lower low
 * (100), or a lower high at a higher high (−100).
 * A pivot is the extreme of the pivotLeft candles before it and the pivotRight after it, of equal ones the newest;
 * the signal is given at the last of these candles, `span` is the distance of the two pivots. The price is that of
 * their candles: low or high, or the close. The rule in full: parts/swings/divergence.ts.
 * Values of the oscillator that differ by less than a billionth are equal: the difference is rounding.
 * The oscillator as in rsi.
 * Source: TradingView's RSI Divergence Indicator, which counts a span as one less.
 */
export function rsidivergence(frame: Frame, from: i32, to: i32): void {
  const state = frame.state.from(strengthState)
  const period = frame.integer(0)
  const strength = oscillatorColumn(frame, 1, from, state)
  relativeStrength(frame.input(2), strength, from, to, period, frame.state)
  findDivergences(frame, 1, strength, period, from, to, state, Size.hundred)
}
