import { Column } from '../frame'
import { line, slope, WeightedSums } from './weighted-sums'

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
  regress(x, start, out, from, to, period, 0.5 * <f64>(period - 1) + ahead, suffixes, line)
}

/** Writes by how much the line through x[i − period + 1 … i] rises from candle to candle. Demands what the line demands. */
export function movingSlope(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  regress(x, start, out, from, to, period, 0, suffixes, slope)
}

function regress(
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
    write(x, base, out, i, i + 1, period, distance, suffixes, what)
    i++
  }
  if (i < to) write(x, base, out, i, to, period, distance, suffixes, what)
}

function write(
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
    if (isOdd) WeightedSums.write(x, base, out, from, to, period, distance, suffixes, line, true)
    else WeightedSums.write(x, base, out, from, to, period, distance, suffixes, line, false)
  } else if (isOdd) WeightedSums.write(x, base, out, from, to, period, distance, suffixes, slope, true)
  else WeightedSums.write(x, base, out, from, to, period, distance, suffixes, slope, false)
}
