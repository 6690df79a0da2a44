import { Column } from '../frame'

/**
 * Writes the sum of the squared distances of the last `period` values of `x` from a line to `out[i]` for i in [from, to).
 * `line[i]` is where the line of candle i ends there, `slope[i]` by how much it rises from candle to candle.
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
  for (let i = from; i < to; i++) {
    const end = line[i]
    const rise = slope[i]
    let square: f64 = 0
    for (let k = 0; k < period; k++) {
      const distance = x[i - k] - (end - <f64>k * rise)
      square += distance * distance
    }
    out[i] = square
  }
}
