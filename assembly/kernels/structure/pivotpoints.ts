import { Column, Frame } from '../../frame'
import { warmup } from '../../parts/warmup'

const day: f64 = 86_400
const week: f64 = 7 * day
/** A Monday at 00:00 UTC. */
const monday: f64 = 4 * day

/**
 * Pivot Points: P = (H + L + C) / 3 of the period before, and the levels R1 = 2P − L, S1 = 2P − H, R2 = P + (H − L),
 * S2 = P − (H − L), R3 = H + 2(P − L), S3 = L − 2(H − P).
 * The period is the last UTC day with candles for intraday candles, the last week from Monday for daily ones, the last
 * four candles for weekly ones; the timeframe is the smallest distance of two candles so far. No value before
 * a whole period was seen: the first one counts if it was seen from its first second on.
 * Source: the floor traders' pivots; Person, Technical Trading Tactics (2004).
 */
export function pivotpoints(frame: Frame, from: i32, to: i32): void {
  const highs = frame.input(0)
  const lows = frame.input(1)
  const closes = frame.input(2)
  const time = frame.input(3)
  const state = frame.state
  const daily = Period.of(state.from(1))
  const weekly = Period.of(state.from(1 + Period.size))
  let distance = from === 0 ? Infinity : state[0]
  if (from === 0) {
    daily.reset()
    weekly.reset()
  }
  for (let k = 0; k < 7; k++) warmup(frame.output(k), from, to, 4)
  for (let i = from; i < to; i++) {
    if (i > 0) {
      const step = time[i] - time[i - 1]
      if (step > 0 && step < distance) distance = step
    }
    daily.take(time[i], 0, day, highs[i], lows[i], closes[i])
    weekly.take(time[i], monday, week, highs[i], lows[i], closes[i])
    if (i < 4) continue
    // Where clocks change a day has 23 hours: anything well above half a day is one.
    const isIntraday = distance < 0.75 * day
    let high = isIntraday ? daily.highBefore : weekly.highBefore
    let low = isIntraday ? daily.lowBefore : weekly.lowBefore
    let close = isIntraday ? daily.closeBefore : weekly.closeBefore
    if (distance > 0.75 * week) {
      high = highs[i - 1]
      low = lows[i - 1]
      close = closes[i - 1]
      for (let j = i - 4; j < i; j++) {
        if (highs[j] > high) high = highs[j]
        if (lows[j] < low) low = lows[j]
      }
    }
    const pivot = (high + low + close) / 3
    frame.output(0)[i] = high + 2 * (pivot - low)
    frame.output(1)[i] = pivot + (high - low)
    frame.output(2)[i] = 2 * pivot - low
    frame.output(3)[i] = pivot
    frame.output(4)[i] = 2 * pivot - high
    frame.output(5)[i] = pivot - (high - low)
    frame.output(6)[i] = low - 2 * (high - pivot)
  }
  state[0] = distance
}

/**
 * High, low and close of a calendar period of fixed length as they come together, and those of the period before. A
 * view of the kernel's state.
 */
@unmanaged
class Period {
  private end: f64
  private high: f64
  private low: f64
  private close: f64
  /** 1 if the period was seen from its beginning, or at least followed another one. */
  private isWhole: f64
  /** Of the period before the running one; NaN while there is none that was seen whole. */
  highBefore: f64
  lowBefore: f64
  closeBefore: f64

  /** The numbers that a period takes in the state. */
  static readonly size: i32 = 8

  @inline
  static of(state: Column): Period {
    return changetype<Period>(state)
  }

  /** Sets the initial state. */
  reset(): void {
    this.end = -Infinity
    this.high = 0
    this.low = 0
    this.close = 0
    this.isWhole = 0
    this.highBefore = NaN
    this.lowBefore = NaN
    this.closeBefore = NaN
  }

  /** Takes in a candle that opened at `time`; periods are `length` seconds long and counted from `origin`. */
  take(time: f64, origin: f64, length: f64, high: f64, low: f64, close: f64): void {
    if (time < this.end) {
      if (high > this.high) this.high = high
      if (low < this.low) this.low = low
      this.close = close
      return
    }
    const isFirst = this.end === -Infinity
    const isWhole = this.isWhole !== 0
    this.highBefore = isWhole ? this.high : NaN
    this.lowBefore = isWhole ? this.low : NaN
    this.closeBefore = isWhole ? this.close : NaN
    const start = floor((time - origin) / length) * length + origin
    this.isWhole = isFirst && time !== start ? 0 : 1
    this.end = start + length
    this.high = high
    this.low = low
    this.close = close
  }
}
