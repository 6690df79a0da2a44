import { Column } from '../../frame'
import { movingLine, movingSlope } from './regression'

/**
 * Writes the sum of the squared distances of the last `period` values of `x` from a line to `out[i]` for i in [from,
 * to). `line[i]` is the end of the line of candle i at that candle, `slope[i]` its rise per candle.
 */
export function residualSquares(
  x: Column,
  line: Column,
  slope: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
): void {
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const end = line.pair(i)
    const rise = slope.pair(i)
    let square = f64x2.splat(0)
    for (let k = 0; k < period; k++) {
      const there = f64x2.sub(end, f64x2.mul(f64x2.splat(<f64>k), rise))
      const distance = f64x2.sub(x.pair(i - k), there)
      square = f64x2.add(square, f64x2.mul(distance, distance))
    }
    out.setPair(i, square)
  }
  out[to] = after
}

/**
 * Writes the standard errors of the lines of least squares through the last `period` values for i in [from, to): the
 * root of the sum of squared distances divided by period − 2. `lines` and `slopes` receive the lines of the same
 * candles, `suffixes` is a scratch column.
 */
export function lineErrors(
  x: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  lines: Column,
  slopes: Column,
  suffixes: Column,
): void {
  movingLine(x, 0, lines, from, to, period, 0, suffixes)
  movingSlope(x, 0, slopes, from, to, period, suffixes)
  residualSquares(x, lines, slopes, out, from, to, period)
  for (let i = from; i < to; i++) out[i] = sqrt(out[i] / <f64>(period - 2))
}
