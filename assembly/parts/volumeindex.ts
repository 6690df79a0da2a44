import { Column } from '../frame'

/**
 * An index that begins at 1000 and takes part in the relative changes of the close only at candles whose volume is
 * below (`side` −1) or above (`side` 1) the volume before. A close of zero counts as no change to the next.
 * State: three numbers (the index, and the last candle's close and volume times `side`).
 */
export function volumeIndex(
  close: Column,
  volume: Column,
  side: f64,
  out: Column,
  from: i32,
  to: i32,
  state: Column,
): void {
  const fresh = from === 0
  let index = fresh ? 1000 : state[0]
  const closeBefore = fresh ? 0 : state[1]
  const volumeBefore = fresh ? Infinity : state[2]
  const sides = f64x2.splat(side)
  let i = from
  if (i < to) {
    const growth = changes(
      f64x2.splat(closeBefore),
      f64x2.splat(close[i]),
      f64x2.splat(volumeBefore),
      f64x2.splat(volume[i] * side),
    )
    index *= f64x2.extract_lane(growth, 0)
    out[i] = index
    i++
  }
  for (; i + 1 < to; i += 2) {
    const growth = changes(
      close.pair(i - 1),
      close.pair(i),
      f64x2.mul(volume.pair(i - 1), sides),
      f64x2.mul(volume.pair(i), sides),
    )
    const first = index * f64x2.extract_lane(growth, 0)
    index = first * f64x2.extract_lane(growth, 1)
    out[i] = first
    out[i + 1] = index
  }
  if (i < to) {
    const growth = changes(
      f64x2.splat(close[i - 1]),
      f64x2.splat(close[i]),
      f64x2.splat(volume[i - 1] * side),
      f64x2.splat(volume[i] * side),
    )
    index *= f64x2.extract_lane(growth, 0)
    out[i] = index
  }
  state[0] = index
  state[1] = close[to - 1]
  state[2] = volume[to - 1] * side
}

/** By how much the index is multiplied: the close's growth where the volume counts, 1 elsewhere. */
function changes(closeBefore: v128, close: v128, volumeBefore: v128, volume: v128): v128 {
  const counts = v128.and(f64x2.gt(volume, volumeBefore), f64x2.ne(closeBefore, f64x2.splat(0)))
  return v128.bitselect(f64x2.div(close, closeBefore), f64x2.splat(1), counts)
}
