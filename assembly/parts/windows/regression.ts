import { Column } from '../../frame'
import { forecastError, line, slope, WeightedSums } from './weighted-sums'

/**
 * Writes where the line of least squares through x[i − period + 1 … i] is `ahead` candles after candle i, for i in
 * [from, to); `from ≥ start + period − 1`, `period ≥ 2`. `suffixes` holds at least 3·period values, twice as
 * many where to − from ≥ 4·period; x and out must not overlap.
 */
export function movingLine(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  ahead: f64,
  suffixes: Column,
): void {
  Regression.write(x, start, out, from, to, period, 0.5 * <f64>(period - 1) + ahead, suffixes, line)
}

/** Writes the rise per candle of the line through x[i − period + 1 … i]. Has the requirements of the line. */
export function movingSlope(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  Regression.write(x, start, out, from, to, period, 0, suffixes, slope)
}

/**
 * Writes the distance of x[i + 1] above the forecast of the line through x[i − period + 1 … i], in percent of x[i + 1]; NaN
 * where it is 0. Has the requirements of the line.
 */
export function forecastErrors(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  Regression.write(x, start, out, from, to, period, 0.5 * <f64>(period + 1), suffixes, forecastError)
}

/** Methods, because only they may be inlined where the constants are known. */
class Regression {
  @inline
  static write(
    x: Column,
    start: i32,
    out: Column,
    from: i32,
    to: i32,
    period: i32,
    distance: f64,
    suffixes: Column,
    what: i32,
  ): void {
    const base = start + period - 1
    let i = from
    if (i < to && ((i - base) & 1) !== 0) {
      // Taken alone with vectors that begin with it.
      Regression.part(x, base, out, i, i + 1, period, distance, suffixes, what)
      i++
    }
    if (i < to) Regression.part(x, base, out, i, to, period, distance, suffixes, what)
  }

  @inline
  static part(
    x: Column,
    base: i32,
    out: Column,
    from: i32,
    to: i32,
    period: i32,
    distance: f64,
    suffixes: Column,
    what: i32,
  ): void {
    const isOdd = (period & 1) !== 0
    if (what === line) {
      if (isOdd) oddLines(x, base, out, from, to, period, distance, suffixes)
      else evenLines(x, base, out, from, to, period, distance, suffixes)
    } else if (what === slope) {
      if (isOdd) oddSlopes(x, base, out, from, to, period, suffixes)
      else evenSlopes(x, base, out, from, to, period, suffixes)
    } else if (isOdd) oddErrors(x, base, out, from, to, period, distance, suffixes)
    else evenErrors(x, base, out, from, to, period, distance, suffixes)
  }
}

// A function for each of them: V8 moves what does not change out of loops only in functions that are not too long, and the
// compiler joins the loops of two branches that are much alike.

function oddLines(
  x: Column,
  base: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  distance: f64,
  suffixes: Column,
): void {
  WeightedSums.write(x, base, out, from, to, period, distance, suffixes, line, true)
}

function evenLines(
  x: Column,
  base: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  distance: f64,
  suffixes: Column,
): void {
  WeightedSums.write(x, base, out, from, to, period, distance, suffixes, line, false)
}

function oddSlopes(
  x: Column,
  base: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  WeightedSums.write(x, base, out, from, to, period, 0, suffixes, slope, true)
}

function evenSlopes(
  x: Column,
  base: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  WeightedSums.write(x, base, out, from, to, period, 0, suffixes, slope, false)
}

function oddErrors(
  x: Column,
  base: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  distance: f64,
  suffixes: Column,
): void {
  WeightedSums.write(x, base, out, from, to, period, distance, suffixes, forecastError, true)
}

function evenErrors(
  x: Column,
  base: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  distance: f64,
  suffixes: Column,
): void {
  WeightedSums.write(x, base, out, from, to, period, distance, suffixes, forecastError, false)
}
