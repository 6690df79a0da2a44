import { Column } from '../../frame'

/** The first number of a pair in both lanes. */
export function firstOf(pair: v128): v128 {
  return v128.shuffle<f64>(pair, pair, 0, 0)
}

/** The second number of a pair in both lanes. */
export function secondOf(pair: v128): v128 {
  return v128.shuffle<f64>(pair, pair, 1, 1)
}

/** Stores those of the numbers of the candles `i` and `i + 1` whose candles are in [from, to). */
export function setLanes(column: Column, i: i32, values: v128, from: i32, to: i32): void {
  if (i >= from) column[i] = f64x2.extract_lane(values, 0)
  if (i + 1 < to) column[i + 1] = f64x2.extract_lane(values, 1)
}
