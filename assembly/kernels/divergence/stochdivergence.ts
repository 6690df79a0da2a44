import { Frame } from '../../frame'
import { stochasticLines } from '../../parts/shared/stochastic'
import { findDivergences, oscillatorColumn, Size } from '../../parts/swings/divergence'

/**
 * Stochastic divergence: the price and the %K line of its stochastic turn in opposite directions from one pivot of
 * the oscillator to the next on the same side, minSpan to maxSpan candles later. Regular: a lower low of the price
 * at a higher low of the oscillator (100), or a higher high at a lower high (−100). Hidden: a higher low at a lower
 * low (100), or a lower high at a higher high (−100).
 * A pivot is the extreme of the pivotLeft candles before it and the pivotRight after it, of equal ones the newest;
 * the signal is given at the last of these candles, `span` is the distance of the two pivots. The price is that of
 * their candles: low or high, or the close. The rule in full: parts/swings/divergence.ts.
 * Values of the oscillator that differ by less than a billionth are equal: the difference is rounding.
 * The oscillator as in stoch.
 * Source: TradingView's RSI Divergence Indicator, which counts a span as one less.
 */
export function stochdivergence(frame: Frame, from: i32, to: i32): void {
  const kPeriod = frame.integer(0)
  const kSmooth = frame.integer(1)
  const line = oscillatorColumn(frame, 2, from, frame.state)
  stochasticLines(
    frame.input(0),
    frame.input(1),
    frame.input(2),
    0,
    line,
    frame.scratch(1).from(-from),
    from,
    to,
    kPeriod,
    kSmooth,
    1,
    frame.scratch(2),
    frame.scratch(3),
    frame.scratch(4),
  )
  findDivergences(frame, 2, line, kPeriod + kSmooth - 2, from, to, frame.state, Size.hundred)
}
