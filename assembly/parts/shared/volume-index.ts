import { Column } from '../../frame'
import { firstOf, secondOf } from '../numbers/lanes'

/**
 * An index that begins at 1000 and follows the relative changes of the close only at candles whose volume is below
 * (`side` −1) or above (`side` 1) the previous volume. A change from a close of zero is ignored.
 * State: four numbers (the index before a pair of candles, the last candle's close and volume times `side`, and its
 * growth).
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
  // The index before a pair of candles, which are counted from the first one: a pair waits only for one product of the
  // previous one.
  let index = f64x2.splat(fresh ? 1000 : state[0])
  // The second lane of the previous pair is the previous candle.
  let closesBefore = f64x2.splat(fresh ? 0 : state[1])
  let volumesBefore = f64x2.splat(fresh ? Infinity : state[2])
  // The growth at the first candle of a pair whose second one is to come, else 1.
  let half: f64 = fresh ? 1 : state[3]
  const one = f64x2.splat(1)
  const sides = f64x2.splat(side)
  let i = from
  if (i & 1 && i < to) {
    const closes = f64x2.splat(close[i])
    const volumes = f64x2.mul(f64x2.splat(volume[i]), sides)
    const growths = growthsOf(closesBefore, closes, volumesBefore, volumes)
    index = f64x2.mul(index, f64x2.mul(f64x2.splat(half), firstOf(growths)))
    out[i] = f64x2.extract_lane(index, 0)
    half = 1
    closesBefore = closes
    volumesBefore = volumes
    i++
  }
  for (; i < to; i += 2) {
    const closes = close.pair(i)
    const volumes = f64x2.mul(volume.pair(i), sides)
    const growths = growthsOf(
      v128.shuffle<f64>(closesBefore, closes, 1, 2),
      closes,
      v128.shuffle<f64>(volumesBefore, volumes, 1, 2),
      volumes,
    )
    const products = f64x2.mul(v128.shuffle<f64>(one, growths, 0, 2), growths)
    const values = f64x2.mul(index, products)
    if (i + 1 === to) {
      half = f64x2.extract_lane(growths, 0)
      out[i] = f64x2.extract_lane(values, 0)
      break
    }
    out.setPair(i, values)
    index = secondOf(values)
    closesBefore = closes
    volumesBefore = volumes
  }
  state[0] = f64x2.extract_lane(index, 0)
  state[1] = close[to - 1]
  state[2] = volume[to - 1] * side
  state[3] = half
}

/** Factors of the index: the growth of the close where the volume counts, 1 elsewhere. */
function growthsOf(closeBefore: v128, close: v128, volumeBefore: v128, volume: v128): v128 {
  const counts = v128.and(f64x2.gt(volume, volumeBefore), f64x2.ne(closeBefore, f64x2.splat(0)))
  return v128.bitselect(f64x2.div(close, closeBefore), f64x2.splat(1), counts)
}
