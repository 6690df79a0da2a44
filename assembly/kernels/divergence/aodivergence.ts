import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { awesomeOscillator } from '../../parts/shared/awesome'
import { findDivergences, oscillatorColumn, Size } from '../../parts/swings/divergence'

/** Candles of the two means, as in ao. */
const fastPeriod = 5
const slowPeriod = 34

/**
 * Awesome Oscillator divergence: the price and its awesome oscillator turn in opposite directions from one pivot of
 * the oscillator to the next on the same side, minSpan to maxSpan candles later. Regular: a lower low of the price
 * at a higher low of the oscillator (100), or a higher high at a lower high (−100). Hidden: a higher low at a lower
 * low (100), or a lower high at a higher high (−100).
 * A pivot is the extreme of the pivotLeft candles before it and the pivotRight after it, of equal ones the newest;
 * the signal is given at the last of these candles, `span` is the distance of the two pivots. The price is that of
 * their candles: low or high, or the close. The rule in full: parts/swings/divergence.ts.
 * Values of the oscillator that differ by less than a billionth are equal: the difference is rounding.
 * The oscillator as in ao.
 * Source: TradingView's RSI Divergence Indicator, which counts a span as one less.
 */
export function aodivergence(frame: Frame, from: i32, to: i32): void {
  const oscillator = oscillatorColumn(frame, 0, from, frame.state)
  const first = warmup(oscillator, from, to, slowPeriod - 1)
  awesomeOscillator(
    frame.input(0),
    frame.input(1),
    oscillator,
    first,
    to,
    fastPeriod,
    slowPeriod,
    frame.scratch(1),
    frame.scratch(2),
  )
  findDivergences(frame, 0, oscillator, slowPeriod - 1, from, to, frame.state, Size.prices)
}
