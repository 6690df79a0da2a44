import { Column } from '../../frame'
import { exponentialAverage, exponentialState } from '../averages/exponential-average'
import { presentAverage, weightOf } from '../averages/present-average'
import { relativeStrength, strengthState } from './rsi'

/** Sizes of the state of a smoothed strength and of bands that follow it, in numbers. */
export const smoothedStrengthState = strengthState + exponentialState + 5
export const strengthBandsState = 6

/**
 * Writes the exponential average of the relative strength of `x` to `value`, NaN before rsiPeriod + smoothPeriod − 1, and
 * its absolute changes, smoothed twice over 2·rsiPeriod − 1 candles, to `ranges`, NaN before `bandsStart`.
 */
export function smoothedStrength(
  x: Column,
  value: Column,
  ranges: Column,
  from: i32,
  to: i32,
  rsiPeriod: i32,
  smoothPeriod: i32,
  state: Column,
): void {
  const width = 2 * rsiPeriod - 1
  relativeStrength(x, ranges, from, to, rsiPeriod, state)
  exponentialAverage(
    ranges,
    rsiPeriod,
    value,
    from,
    to,
    smoothPeriod,
    weightOf(smoothPeriod),
    state.from(strengthState),
  )
  const last = state.from(strengthState + exponentialState)
  let before = from === 0 ? NaN : last[0]
  for (let i = from; i < to; i++) {
    ranges[i] = abs(value[i] - before)
    before = value[i]
  }
  last[0] = before
  presentAverage(ranges, ranges, from, to, width, weightOf(width), last.from(1))
  presentAverage(ranges, ranges, from, to, width, weightOf(width), last.from(3))
}

/** The first candle with bands around a smoothed strength. */
export function bandsStart(rsiPeriod: i32, smoothPeriod: i32): i32 {
  return rsiPeriod + smoothPeriod - 1 + 2 * (2 * rsiPeriod - 1) - 1
}

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
 * Writes a trailing band to `line`, at a distance of `factor` ranges from the smoothed strength, and its side to
 * `sides`: 1 for a band below, with which it starts, −1 for one above. The side changes when the strength crosses the
 * band. Bands begin after candle `start`. `line` may be the column of the ranges.
 */
export function strengthBands(
  value: Column,
  ranges: Column,
  line: Column,
  sides: Column,
  from: i32,
  to: i32,
  start: i32,
  factor: f64,
  state: Column,
): void {
  const bands = changetype<Bands>(state)
  if (from === 0) {
    bands.before = NaN
    bands.side = 1
    bands.long = NaN
    bands.short = NaN
    bands.longBefore = NaN
    bands.shortBefore = NaN
  }
  let before = bands.before
  for (let i = from; i < to; i++) {
    const now = value[i]
    const range = factor * ranges[i]
    if (i >= start) follow(bands, now, before, now - range, now + range)
    line[i] = bands.side > 0 ? bands.long : bands.short
    sides[i] = bands.side
    before = now
  }
  bands.before = before
}

/** Moves the bands to the next candle. */
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
