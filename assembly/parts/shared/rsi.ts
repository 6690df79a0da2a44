import { Column } from '../../frame'

/**
 * Relative strength 100·G / (G + L), or 100·(G − L) / (G + L) if `isNet`, where G and L are the Wilder-smoothed gains and
 * losses of `x`: NaN before candle `period`, seeded there with the mean of the first `period` changes; in the middle, 50 or
 * 0, while nothing has moved. An unchanged `x` keeps the strength unchanged, to the last bit. State: three numbers (gains
 * and losses, summed while seeding and smoothed afterwards, and the last strength).
 */
export function relativeStrength(
  x: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
  isNet: bool = false,
): void {
  let gains = from === 0 ? 0 : state[0]
  let losses = from === 0 ? 0 : state[1]
  let last = from === 0 ? (isNet ? 0 : 50) : state[2]
  const share = 1 / <f64>period
  const keep = 1 - share
  let i = from
  for (const end = min(to, period + 1); i < end; i++) {
    if (i > 0) {
      const change = x[i] - x[i - 1]
      gains += change > 0 ? change : 0
      losses += change < 0 ? -change : 0
    }
    if (i === period) {
      gains *= share
      losses *= share
      const sum = gains + losses
      if (sum > 0) last = 100 * ((isNet ? gains - losses : gains) / sum)
    }
    out[i] = i === period ? last : NaN
  }
  // Gains and losses in two lanes; the vector maximum assigns a change to one of them without a branch.
  const zero = f64x2.splat(0)
  const keeps = f64x2.splat(keep)
  const shares = f64x2.splat(share)
  let means = f64x2.replace_lane(f64x2.splat(gains), 1, losses)
  for (; i < to; i++) {
    const change = x[i] - x[i - 1]
    const moves = f64x2.pmax(zero, f64x2.replace_lane(f64x2.splat(change), 1, -change))
    means = f64x2.add(f64x2.mul(means, keeps), f64x2.mul(moves, shares))
    gains = f64x2.extract_lane(means, 0)
    losses = f64x2.extract_lane(means, 1)
    const sum = gains + losses
    if (change !== 0 && sum > 0) last = 100 * ((isNet ? gains - losses : gains) / sum)
    out[i] = last
  }
  state[0] = gains
  state[1] = losses
  state[2] = last
}
