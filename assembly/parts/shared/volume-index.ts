import { Column } from '../../frame'

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
  // The second lane of the pair before is the candle before.
  let closesBefore = f64x2.splat(fresh ? 0 : state[1])
  let volumesBefore = f64x2.splat(fresh ? Infinity : state[2])
  const sides = f64x2.splat(side)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const closes = close.pair(i)
    const volumes = f64x2.mul(volume.pair(i), sides)
    const growths = growthsOf(
      v128.shuffle<f64>(closesBefore, closes, 1, 2),
      closes,
      v128.shuffle<f64>(volumesBefore, volumes, 1, 2),
      volumes,
    )
    const first = index * f64x2.extract_lane(growths, 0)
    index = first * f64x2.extract_lane(growths, 1)
    out[i] = first
    out[i + 1] = index
    closesBefore = closes
    volumesBefore = volumes
  }
  out[to] = after
  state[0] = out[to - 1]
  state[1] = close[to - 1]
  state[2] = volume[to - 1] * side
}

/** By how much the index is multiplied: the close's growth where the volume counts, 1 elsewhere. */
function growthsOf(closeBefore: v128, close: v128, volumeBefore: v128, volume: v128): v128 {
  const counts = v128.and(f64x2.gt(volume, volumeBefore), f64x2.ne(closeBefore, f64x2.splat(0)))
  return v128.bitselect(f64x2.div(close, closeBefore), f64x2.splat(1), counts)
}
