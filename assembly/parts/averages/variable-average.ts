import { Column } from '../../frame'
import { movingSum } from '../windows/sums'

/** Number of changes that determine the weight. */
export const variablePeriod = 9

/**
 * Writes |net change| divided by the sum of absolute changes of the last nine candles (the absolute Chande momentum
 * oscillator) to `out[i]` for i in [from, to), 0 where nothing moved; `from ≥ start + 9`, `x` has values from `start`
 * on. `rises`, `falls`, `suffixes` and `out` are scratch columns; `out` may be one of the first two, counted from `from
 * − 8` on.
 */
export function netShares(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  rises: Column,
  falls: Column,
  suffixes: Column,
): void {
  if (from >= to) return
  const oldest = from - variablePeriod + 1
  const up = rises.from(-oldest)
  const down = falls.from(-oldest)
  const upSums = suffixes.from(2 * variablePeriod + 2 - from)
  const half = f64x2.splat(0.5)
  for (let i = oldest; i < to; i += 2) {
    const change = f64x2.sub(x.pair(i), x.pair(i - 1))
    const size = f64x2.abs(change)
    up.setPair(i, f64x2.mul(f64x2.add(size, change), half))
    down.setPair(i, f64x2.mul(f64x2.sub(size, change), half))
  }
  movingSum(up, start + 1, upSums, from, to, variablePeriod, suffixes)
  movingSum(down, start + 1, up, from, to, variablePeriod, suffixes)
  const zero = f64x2.splat(0)
  for (let i = from; i < to; i += 2) {
    const one = upSums.pair(i)
    const other = up.pair(i)
    const total = f64x2.add(one, other)
    const share = f64x2.div(f64x2.abs(f64x2.sub(one, other)), total)
    out.setPair(i, v128.and(share, f64x2.gt(total, zero)))
  }
}

/**
 * Exponential average whose weight is 2 / (period + 1) times the share of the net change in the changes of the last nine
 * candles. It starts as the value of candle `start + 8` and is written from there on; `x` has values from `start` on.
 * State: the average. `rises`, `falls` and `suffixes` are scratch columns.
 */
export function variableAverage(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
  rises: Column,
  falls: Column,
  suffixes: Column,
): void {
  const first = max(from, start + variablePeriod)
  const shares = rises.from(variablePeriod - 1 - first)
  netShares(x, start, shares, first, to, rises, falls, suffixes)
  averageBy(shares, x, start, out, from, to, period, state)
}

/** The same average, from known shares. */
export function averageBy(
  shares: Column,
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
): void {
  const seed = start + variablePeriod - 1
  let mean = from === 0 ? 0 : state[0]
  if (from <= seed && seed < to) {
    mean = x[seed]
    out[seed] = mean
  }
  const weight = 2 / <f64>(period + 1)
  for (let i = max(from, seed + 1); i < to; i++) {
    mean += weight * shares[i] * (x[i] - mean)
    out[i] = mean
  }
  state[0] = mean
}
