import { Frame } from '../../frame'
import { macdLines, macdState } from '../../parts/shared/macd'
import { findDivergences, oscillatorColumn, Size } from '../../parts/swings/divergence'

/**
 * MACD divergence: the price and the histogram of its moving average convergence divergence turn in opposite
 * directions from one pivot of the oscillator to the next on the same side, minSpan to maxSpan candles later.
 * Regular: a lower low of the price at a higher low of the oscillator (100), or a higher high at a lower high
 * (−100). Hidden: a higher low at a lower low (100), or a lower high at a higher high (−100).
 * A pivot is the extreme of the pivotLeft candles before it and the pivotRight after it, of equal ones the newest;
 * the signal is given at the last of these candles, `span` is the distance of the two pivots. The price is that of
 * their candles: low or high, or the close. The rule in full: parts/swings/divergence.ts.
 * Values of the oscillator that differ by less than a billionth are equal: the difference is rounding.
 * The oscillator as in macd, where a slow period below the fast one is swapped with it.
 * Source: TradingView's RSI Divergence Indicator, which counts a span as one less.
 */
export function macddivergence(frame: Frame, from: i32, to: i32): void {
  const state = frame.state.from(macdState)
  const fastPeriod = min(frame.integer(0), frame.integer(1))
  const slowPeriod = max(frame.integer(0), frame.integer(1))
  const signalPeriod = frame.integer(2)
  const histogram = oscillatorColumn(frame, 3, from, state)
  macdLines(
    frame.input(2),
    frame.scratch(1).from(-from),
    frame.scratch(2).from(-from),
    histogram,
    from,
    to,
    fastPeriod,
    slowPeriod,
    signalPeriod,
    2 / <f64>(fastPeriod + 1),
    2 / <f64>(slowPeriod + 1),
    frame.state,
  )
  findDivergences(frame, 3, histogram, slowPeriod + signalPeriod - 2, from, to, state, Size.prices)
}
