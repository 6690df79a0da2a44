import { Column, Frame } from '../../frame'
import { Span, spanEnd, spanStart } from '../candles/calendar'

/** Families of pivot levels by their numbers, as the parameter `family` counts them. */
export namespace Family {
  export const standard: i32 = 0
  export const fibonacci: i32 = 1
  export const camarilla: i32 = 2
  export const woodie: i32 = 3
  export const demark: i32 = 4
}

/**
 * Open, high, low and close of the running span of the calendar, and of the previous one. A view of the kernel's state.
 */
@unmanaged
export class Period {
  private end: f64
  /** Prices of the running span, from its first candle on. */
  open: f64
  private high: f64
  private low: f64
  private close: f64
  /** 1 if the span was seen from its beginning, or followed another one. */
  private isWhole: f64
  /** Prices of the last span with candles before the running one; NaN until a whole span was seen. */
  openBefore: f64
  highBefore: f64
  lowBefore: f64
  closeBefore: f64

  /** Size of a period in the state, in numbers. */
  static readonly size: i32 = 10

  @inline
  static of(state: Column): Period {
    return changetype<Period>(state)
  }

  /** Sets the initial state. */
  reset(): void {
    this.end = -Infinity
    this.open = 0
    this.high = 0
    this.low = 0
    this.close = 0
    this.isWhole = 0
    this.openBefore = NaN
    this.highBefore = NaN
    this.lowBefore = NaN
    this.closeBefore = NaN
  }

  /** Adds a candle of a period whose first span counts even if its beginning was not seen. */
  takeAny(span: i32, time: f64, high: f64, low: f64, close: f64): void {
    // The open is not used: any price may be passed.
    this.take(span, time, close, high, low, close)
    this.isWhole = 1
  }

  /** Adds a candle that opened at `time`. */
  take(span: i32, time: f64, open: f64, high: f64, low: f64, close: f64): void {
    if (time < this.end) {
      if (high > this.high) this.high = high
      if (low < this.low) this.low = low
      this.close = close
      return
    }
    const isFirst = this.end === -Infinity
    const isWhole = this.isWhole !== 0
    this.openBefore = isWhole ? this.open : NaN
    this.highBefore = isWhole ? this.high : NaN
    this.lowBefore = isWhole ? this.low : NaN
    this.closeBefore = isWhole ? this.close : NaN
    const start = spanStart(span, time)
    this.isWhole = isFirst && time !== start ? 0 : 1
    this.end = spanEnd(span, start)
    this.open = open
    this.high = high
    this.low = low
    this.close = close
  }
}

/**
 * The periods that pivot levels are made of, one for each span of the calendar. A view of the kernel's state:
 *
 *   ├─ smallest distance of two candles so far ─┼─ day ─┼─ week ─┼─ month ─┼─ year ─┤
 *
 * src/catalogue/structure/pivot-points.ts has its size.
 */
@unmanaged
export class AnchoredPeriods {
  private distance: f64

  @inline
  static of(state: Column): AnchoredPeriods {
    return changetype<AnchoredPeriods>(state)
  }

  @inline
  private at(span: i32): Period {
    return Period.of(changetype<Column>(this).from(1 + span * Period.size))
  }

  /** Sets the initial state. */
  reset(): void {
    this.distance = Infinity
    for (let span = 0; span < Span.count; span++) this.at(span).reset()
  }

  /**
   * Adds candle `i` and returns the period whose levels apply to it: that of span number `anchor − 1`, or with `anchor`
   * 0 that for the timeframe (a day for up to 15 minutes, a week for the rest of the day, a month for daily candles, a
   * year for weekly ones). The timeframe is the smallest distance of two candles so far.
   */
  take(anchor: i32, time: Column, open: Column, high: Column, low: Column, close: Column, i: i32): Period {
    if (anchor > 0) {
      const period = this.at(anchor - 1)
      period.take(anchor - 1, time[i], open[i], high[i], low[i], close[i])
      return period
    }
    if (i > 0) {
      const step = time[i] - time[i - 1]
      if (step > 0 && step < this.distance) this.distance = step
    }
    for (let span = 0; span < Span.count; span++) {
      this.at(span).take(span, time[i], open[i], high[i], low[i], close[i])
    }
    return this.at(spanFor(this.distance))
  }
}

/** The calendar span for candles that are `distance` seconds apart. A day on which clocks change has 23 hours. */
function spanFor(distance: f64): i32 {
  if (distance <= 900) return Span.day
  if (distance < 64_800) return Span.week
  return distance < 453_600 ? Span.month : Span.year
}

/**
 * Writes the pivot levels of a family for the candles [from, to) to the outputs r‹outermost› … r1, p, s1 …
 * s‹outermost›: computed from the previous span; NaN for levels that the family does not have, and before a whole span
 * has passed. Inputs: open, high, low, close and time. State: AnchoredPeriods.
 */
export function pivotLevels(
  frame: Frame,
  from: i32,
  to: i32,
  family: i32,
  outermost: i32,
  anchor: i32,
): void {
  const periods = AnchoredPeriods.of(frame.state)
  if (from === 0) periods.reset()
  for (let k = -outermost; k <= outermost; k++) {
    const out = frame.output(outermost - k)
    for (let i = from; i < to; i++) out[i] = NaN
  }
  for (let i = from; i < to; i++) {
    const period = periods.take(
      anchor,
      frame.input(4),
      frame.input(0),
      frame.input(1),
      frame.input(2),
      frame.input(3),
      i,
    )
    const high = period.highBefore
    const low = period.lowBefore
    const close = period.closeBefore
    if (family === Family.standard) standardLevels(frame, outermost, i, high, low, close)
    else if (family === Family.fibonacci) fibonacciLevels(frame, outermost, i, high, low, close)
    else if (family === Family.camarilla) camarillaLevels(frame, outermost, i, high, low, close)
    else if (family === Family.woodie) woodieLevels(frame, outermost, i, high, low, period.open)
    else demarkLevels(frame, outermost, i, period.openBefore, high, low, close)
  }
}

/** Writes level `k` of candle `i`: a resistance if it is positive, a support if it is negative, the pivot if it is 0. */
function setLevel(frame: Frame, outermost: i32, i: i32, k: i32, value: f64): void {
  if (k <= outermost && k >= -outermost) frame.output(outermost - k)[i] = value
}

/** Levels of floor traders, three on either side of the pivot, from the pivot and the range. */
export function standardLevels(frame: Frame, outermost: i32, i: i32, high: f64, low: f64, close: f64): void {
  levelsAround((high + low + close) / 3, frame, outermost, i, high, low)
}

/** As the standard levels, around a pivot in which the open of the running span has the weight of two. */
function woodieLevels(frame: Frame, outermost: i32, i: i32, high: f64, low: f64, open: f64): void {
  levelsAround((high + low + 2 * open) / 4, frame, outermost, i, high, low)
}

function levelsAround(pivot: f64, frame: Frame, outermost: i32, i: i32, high: f64, low: f64): void {
  setLevel(frame, outermost, i, 3, high + 2 * (pivot - low))
  setLevel(frame, outermost, i, 2, pivot + (high - low))
  setLevel(frame, outermost, i, 1, 2 * pivot - low)
  setLevel(frame, outermost, i, 0, pivot)
  setLevel(frame, outermost, i, -1, 2 * pivot - high)
  setLevel(frame, outermost, i, -2, pivot - (high - low))
  setLevel(frame, outermost, i, -3, low - 2 * (high - pivot))
}

/** 0.382, 0.618 and the whole of the range above and below the pivot. */
function fibonacciLevels(frame: Frame, outermost: i32, i: i32, high: f64, low: f64, close: f64): void {
  const pivot = (high + low + close) / 3
  const range = high - low
  setLevel(frame, outermost, i, 3, pivot + range)
  setLevel(frame, outermost, i, 2, pivot + 0.618 * range)
  setLevel(frame, outermost, i, 1, pivot + 0.382 * range)
  setLevel(frame, outermost, i, 0, pivot)
  setLevel(frame, outermost, i, -1, pivot - 0.382 * range)
  setLevel(frame, outermost, i, -2, pivot - 0.618 * range)
  setLevel(frame, outermost, i, -3, pivot - range)
}

/** A twelfth, a sixth, a quarter and a half of 1.1 ranges above and below the close. */
function camarillaLevels(frame: Frame, outermost: i32, i: i32, high: f64, low: f64, close: f64): void {
  const range = 1.1 * (high - low)
  setLevel(frame, outermost, i, 4, close + range / 2)
  setLevel(frame, outermost, i, 3, close + range / 4)
  setLevel(frame, outermost, i, 2, close + range / 6)
  setLevel(frame, outermost, i, 1, close + range / 12)
  setLevel(frame, outermost, i, 0, (high + low + close) / 3)
  setLevel(frame, outermost, i, -1, close - range / 12)
  setLevel(frame, outermost, i, -2, close - range / 6)
  setLevel(frame, outermost, i, -3, close - range / 4)
  setLevel(frame, outermost, i, -4, close - range / 2)
}

/** One level on either side, from a sum that counts the end of the range in the direction of the span twice. */
function demarkLevels(
  frame: Frame,
  outermost: i32,
  i: i32,
  open: f64,
  high: f64,
  low: f64,
  close: f64,
): void {
  const twice = close < open ? low : close > open ? high : close
  const sum = high + low + close + twice
  setLevel(frame, outermost, i, 1, sum / 2 - low)
  setLevel(frame, outermost, i, 0, sum / 4)
  setLevel(frame, outermost, i, -1, sum / 2 - high)
}
