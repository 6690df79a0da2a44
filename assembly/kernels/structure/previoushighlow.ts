import { Column, Frame } from '../../frame'
import { spanStart } from '../../parts/candles/calendar'

/**
 * Previous High and Low: the highest high and the lowest low of the last UTC day, week from Monday or month (`anchor`)
 * with candles before the running one. Null until a whole day, week or month was seen: the first counts if its first
 * candle opened in its first second.
 * Within the running day, week or month, `brokenHigh` is true from the first candle on whose high is above the previous
 * high, `brokenLow` from the first one on whose low is below the previous low.
 * Source: smartmoneyconcepts, with calendar periods of UTC.
 */
export function previoushighlow(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const time = frame.input(2)
  const anchor = frame.integer(0)
  const span = Span.of(frame.state)
  if (from === 0) span.reset()
  for (let i = from; i < to; i++) {
    const start = spanStart(anchor, time[i])
    if (start !== span.start) span.begin(start, i > 0 || time[i] === start)
    span.take(high[i], low[i])
    frame.output(0)[i] = span.highBefore
    frame.output(1)[i] = span.lowBefore
    frame.output(2)[i] = span.isHighBroken
    frame.output(3)[i] = span.isLowBroken
  }
}

/** The high and the low of the running day, week or month, and of the one before. A view of the kernel's state. */
@unmanaged
class Span {
  /** Its first second; NaN before the first candle. */
  start: f64
  private high: f64
  private low: f64
  /** 1 if it was seen from its beginning, or followed another span. */
  private isWhole: f64
  /** High and low of the previous span; NaN until a whole span was seen. */
  highBefore: f64
  lowBefore: f64
  isHighBroken: f64
  isLowBroken: f64

  @inline
  static of(state: Column): Span {
    return changetype<Span>(state)
  }

  reset(): void {
    this.start = NaN
    this.high = NaN
    this.low = NaN
    this.isWhole = 0
    this.highBefore = NaN
    this.lowBefore = NaN
    this.isHighBroken = 0
    this.isLowBroken = 0
  }

  begin(start: f64, isWhole: bool): void {
    const hasBefore = this.isWhole !== 0
    this.highBefore = hasBefore ? this.high : NaN
    this.lowBefore = hasBefore ? this.low : NaN
    this.start = start
    this.high = -Infinity
    this.low = Infinity
    this.isWhole = isWhole ? 1 : 0
    this.isHighBroken = 0
    this.isLowBroken = 0
  }

  @inline
  take(high: f64, low: f64): void {
    if (high > this.high) this.high = high
    if (low < this.low) this.low = low
    if (high > this.highBefore) this.isHighBroken = 1
    if (low < this.lowBefore) this.isLowBroken = 1
  }
}
