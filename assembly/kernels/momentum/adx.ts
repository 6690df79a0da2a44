import { Column, Frame } from '../../frame'

/**
 * Average Directional Movement Index: the Wilder-smoothed share of |P − M| in P + M, in percent, where P and M are
 * the Wilder-smoothed upward and downward movements; the true range that Wilder divides both by cancels.
 * Movements are sums seeded with the first period − 1 candles, the index with the mean of `period` shares; a candle
 * without any movement leaves it as it was.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib 0.6 ADX.
 */
export function adx(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const share = 1 / <f64>period
  const keep = 1 - share
  const seeded = 2 * period - 1
  // Lane 0: upward movement, lane 1: downward movement.
  let movements = from === 0 ? f64x2.splat(0) : state.pair(0)
  let index = from === 0 ? 0 : state[2]
  let i = from
  if (i === 0 && i < to) {
    out[0] = NaN
    i = 1
  }
  for (const end = min(to, seeded + 1); i < end; i++) {
    if (i >= period) movements = f64x2.mul(movements, f64x2.splat(keep))
    movements = f64x2.add(movements, movement(high, low, i))
    if (i >= period) index += imbalance(movements, 0)
    if (i === seeded) index *= share
    out[i] = i === seeded ? index : NaN
  }
  for (; i < to; i++) {
    movements = f64x2.add(f64x2.mul(movements, f64x2.splat(keep)), movement(high, low, i))
    index = index * keep + imbalance(movements, index) * share
    out[i] = index
  }
  state.setPair(0, movements)
  state[2] = index
}

/** The movement of candle `i`: lane 0 upward, lane 1 downward; only the larger one counts, and only if positive. */
function movement(high: Column, low: Column, i: i32): v128 {
  const rise = high[i] - high[i - 1]
  const fall = low[i - 1] - low[i]
  const both = f64x2.replace_lane(f64x2.splat(rise), 1, fall)
  const other = f64x2.replace_lane(f64x2.splat(fall), 1, rise)
  return v128.and(both, v128.and(f64x2.gt(both, f64x2.splat(0)), f64x2.gt(both, other)))
}

/** |P − M| in percent of P + M, or `otherwise` where nothing moved. */
function imbalance(movements: v128, otherwise: f64): f64 {
  const up = f64x2.extract_lane(movements, 0)
  const down = f64x2.extract_lane(movements, 1)
  const sum = up + down
  return sum > 0 ? (Math.abs(up - down) * 100) / sum : otherwise
}
