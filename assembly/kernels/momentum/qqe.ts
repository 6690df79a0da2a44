import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/exponential'
import { presentAverage, weightOf } from '../../parts/present-average'
import { relativeStrength } from '../../parts/rsi'
import { warmup } from '../../parts/warmup'

/** The bands of the last candle, those of the candle before, the last value and the side. */
@final
@unmanaged
class Bands {
  long: f64
  short: f64
  longBefore: f64
  shortBefore: f64
  before: f64
  side: f64
}

/**
 * Quantitative Qualitative Estimation: the exponential average of the relative strength index, and a line that follows it
 * at `factor` times its own twice smoothed changes, on the side from which it was crossed last.
 * Up at first; a band moves away from the average only when the average was on its other side.
 * Source: Glaz, QQE (TradingView); trading-signals QQE.
 */
export function qqe(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const line = frame.output(1)
  const trend = frame.output(2)
  const state = frame.state
  const rsiPeriod = frame.integer(0)
  const smoothPeriod = frame.integer(1)
  const factor = frame.number(2)
  const width = 2 * rsiPeriod - 1
  const start = rsiPeriod + smoothPeriod - 1
  const bands = changetype<Bands>(state.from(8))
  relativeStrength(frame.input(0), value, from, to, rsiPeriod, state)
  exponentialAverage(value, rsiPeriod, value, from, to, smoothPeriod, weightOf(smoothPeriod), state.from(3))
  let before = from === 0 ? NaN : bands.before
  for (let i = from; i < to; i++) {
    line[i] = abs(value[i] - before)
    before = value[i]
  }
  presentAverage(line, line, from, to, width, weightOf(width), state.from(4))
  presentAverage(line, line, from, to, width, weightOf(width), state.from(6))
  before = from === 0 ? NaN : bands.before
  if (from === 0) {
    bands.side = 1
    bands.long = NaN
    bands.short = NaN
    bands.longBefore = NaN
    bands.shortBefore = NaN
  }
  const first = start + 2 * width - 1
  for (let i = from; i < to; i++) {
    const now = value[i]
    const range = factor * line[i]
    if (i >= first) follow(bands, now, before, now - range, now + range)
    line[i] = bands.side > 0 ? bands.long : bands.short
    trend[i] = bands.side
    before = now
  }
  bands.before = before
  warmup(line, from, to, first)
  warmup(trend, from, to, first)
}

/** Moves the bands to a candle. */
function follow(bands: Bands, now: f64, before: f64, long: f64, short: f64): void {
  const lastLong = bands.long
  const lastShort = bands.short
  if (before > lastLong && now > lastLong) long = max(lastLong, long)
  if (before < lastShort && now < lastShort) short = min(lastShort, short)
  if (crosses(now, lastShort, before, bands.shortBefore)) bands.side = 1
  else if (crosses(now, lastLong, before, bands.longBefore)) bands.side = -1
  bands.longBefore = lastLong
  bands.shortBefore = lastShort
  bands.long = long
  bands.short = short
}

/** Whether a line crosses a band, either way. */
function crosses(now: f64, band: f64, before: f64, bandBefore: f64): bool {
  return (now > band && before <= bandBefore) || (now < band && before >= bandBefore)
}
