import { Frame } from '../../frame'
import { copy } from '../../parts/numbers/copy'
import { findDivergences, oscillatorColumn, Size } from '../../parts/swings/divergence'

/**
 * Volume divergence: the price and its volume turn in opposite directions from one pivot of the oscillator to the
 * next on the same side, minSpan to maxSpan candles later. Regular: a lower low of the price at a higher low of the
 * oscillator (100), or a higher high at a lower high (−100). Hidden: a higher low at a lower low (100), or a lower
 * high at a higher high (−100).
 * A pivot is the extreme of the pivotLeft candles before it and the pivotRight after it, of equal ones the newest;
 * the signal is given at the last of these candles, `span` is the distance of the two pivots. The price is that of
 * their candles: low or high, or the close. The rule in full: parts/swings/divergence.ts.
 * Values of the oscillator that differ by less than a billionth are equal: the difference is rounding.
 * The oscillator is the volume itself.
 * Source: TradingView's RSI Divergence Indicator, which counts a span as one less.
 */
export function volumedivergence(frame: Frame, from: i32, to: i32): void {
  const volume = oscillatorColumn(frame, 0, from, frame.state)
  copy(frame.input(3), volume, from, to)
  findDivergences(frame, 0, volume, 0, from, to, frame.state, Size.volumes)
}
