import { Column } from '../../frame'

/**
 * On balance volume: the running sum of the volume, added when the close rose and subtracted when it fell; it begins
 * with the first candle's volume. State: two numbers (the sum and the last close).
 */
export function balanceVolume(
  close: Column,
  volume: Column,
  out: Column,
  from: i32,
  to: i32,
  state: Column,
): void {
  if (from >= to) return
  let balance = from === 0 ? 0 : state[0]
  // The first candle counts as a rise.
  let before = f64x2.splat(from === 0 ? -Infinity : state[1])
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const now = close.pair(i)
    const volumes = volume.pair(i)
    const earlier = v128.shuffle<f64>(before, now, 1, 2)
    const gains = v128.and(volumes, f64x2.gt(now, earlier))
    const changes = f64x2.sub(gains, v128.and(volumes, f64x2.lt(now, earlier)))
    const first = balance + f64x2.extract_lane(changes, 0)
    const second = first + f64x2.extract_lane(changes, 1)
    out[i] = first
    out[i + 1] = second
    balance = second
    before = now
  }
  out[to] = after
  state[0] = out[to - 1]
  state[1] = close[to - 1]
}
