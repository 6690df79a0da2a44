import { Column } from '../../frame'
import { firstOf, secondOf } from '../numbers/lanes'

/** Numbers of state of an exponential average. */
export const exponentialState: i32 = 4

/** Candles of a block. */
const blockSize = 8

/** The values of a column. A view of it. */
@unmanaged
class Values extends Column {
  @inline
  pairOf(_low: Column, _close: Column, i: i32): v128 {
    return this.pair(i)
  }
}

/** The state of an average. While it is being seeded, `mean` is the sum of its first values. */
@final
@unmanaged
class Smoothing {
  /** The average before the present block; at its end, the newest average. */
  mean: f64
  /** The value before the present block. */
  base: f64
  /** The average of the distances from `base`, at the end of the last whole pair of the block. */
  pairs: f64
  /** The weighted distance of the first value of a pair whose second one is to come, else 0. */
  half: f64

  begin(mean: f64, base: f64): void {
    this.mean = mean
    this.base = base
    this.pairs = 0
    this.half = 0
  }
}

/**
 * Exponential smoothing seeded with the mean of the first `period` values, as in TA-Lib: NaN before
 * `start + period − 1`, the mean there, then mean + alpha·(x − mean). `x` has values from `start` on, and may be `out`.
 * State: `exponentialState` numbers.
 *
 * Computed candle by candle, each step would wait for a product and a sum of the previous one. So eight candles at a
 * time are computed from the average m before them: m[j] = base + (p[j] + keep^(j+1)·(m − base)), where `base` is the
 * value before the block and p[j] the average of the distances from it, which does not depend on m. In a flat market p
 * is 0 and the average moves closer to the price with each candle or stays unchanged, because rounding is monotonic, so
 * its last bit never oscillates.
 */
export function exponentialAverage(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  alpha: f64,
  state: Column,
): void {
  average<Values>(x, x, x, start, out, from, to, period, alpha, state)
}

/**
 * Exponential smoothing of the values that `X`, a view of the highs, makes of three columns. These must not be `out`, except
 * for values of a single column.
 */
export function average<X>(
  high: Column,
  low: Column,
  close: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  alpha: f64,
  state: Column,
): void {
  const smoothing = changetype<Smoothing>(state)
  const x = changetype<X>(high)
  if (alpha === 1) {
    for (let i = from; i < to; i++) out[i] = i < start ? NaN : f64x2.extract_lane(x.pairOf(low, close, i), 0)
    smoothing.begin(0, 0)
    return
  }
  const seed = start + period - 1
  let sum = from <= start ? 0 : smoothing.mean
  let i = from
  for (const end = min(to, start); i < end; i++) out[i] = NaN
  for (const end = min(to, seed); i < end; i++) {
    sum += f64x2.extract_lane(x.pairOf(low, close, i), 0)
    out[i] = NaN
  }
  if (from <= seed) smoothing.mean = sum
  if (i === seed && i < to) {
    const first = f64x2.extract_lane(x.pairOf(low, close, i), 0)
    out[i] = (sum + first) / <f64>period
    smoothing.begin(out[i], first)
    i++
  }
  // Blocks are counted from the seed, so that any split of a range gives the same bits.
  for (; i < to && ((i - seed - 1) & (blockSize - 1)) !== 0; i++)
    step(f64x2.extract_lane(x.pairOf(low, close, i), 0), out, i, i - seed - 1, alpha, smoothing)
  i = blocks<X>(high, low, close, out, i, to, alpha, smoothing)
  for (; i < to; i++)
    step(f64x2.extract_lane(x.pairOf(low, close, i), 0), out, i, i - seed - 1, alpha, smoothing)
}

/** One candle, the `at`-th since the seed, by the operations of a lane of `blocks`. */
function step(value: f64, out: Column, i: i32, at: i32, alpha: f64, smoothing: Smoothing): void {
  const keep = 1 - alpha
  const twice = keep * keep
  const base = smoothing.base
  const pairs = smoothing.pairs
  const part = (value - base) * alpha
  const isSecond = (at & 1) === 1
  const distance = isSecond ? part + smoothing.half * keep + pairs * twice : part + pairs * keep
  let kept = isSecond ? twice : keep
  for (let pair = (at & (blockSize - 1)) >> 1; pair > 0; pair--) kept *= twice
  const mean = base + (distance + (smoothing.mean - base) * kept)
  out[i] = mean
  if (isSecond) smoothing.pairs = distance
  smoothing.half = isSecond ? 0 : part
  if ((at & (blockSize - 1)) !== blockSize - 1) return
  smoothing.mean = mean
  smoothing.base = value
  smoothing.pairs = 0
}

/** All whole blocks of the candles [from, to). Returns the candle after them. */
function blocks<X>(
  high: Column,
  low: Column,
  close: Column,
  out: Column,
  from: i32,
  to: i32,
  alpha: f64,
  smoothing: Smoothing,
): i32 {
  const x = changetype<X>(high)
  const keep = 1 - alpha
  const twice = f64x2.splat(keep * keep)
  const alphas = f64x2.splat(alpha)
  const second = f64x2.replace_lane(f64x2.splat(keep), 0, 0)
  const kept2 = f64x2.replace_lane(f64x2.splat(keep), 1, keep * keep)
  const kept4 = f64x2.mul(kept2, twice)
  const kept6 = f64x2.mul(kept4, twice)
  const kept8 = f64x2.mul(kept6, twice)
  let mean = f64x2.splat(smoothing.mean)
  let base = f64x2.splat(smoothing.base)
  let i = from
  for (; i + blockSize <= to; i += blockSize) {
    const newest = x.pairOf(low, close, i + 6)
    const part2 = f64x2.mul(f64x2.sub(x.pairOf(low, close, i), base), alphas)
    const part4 = f64x2.mul(f64x2.sub(x.pairOf(low, close, i + 2), base), alphas)
    const part6 = f64x2.mul(f64x2.sub(x.pairOf(low, close, i + 4), base), alphas)
    const part8 = f64x2.mul(f64x2.sub(newest, base), alphas)
    const sum2 = f64x2.add(part2, f64x2.mul(firstOf(part2), second))
    const sum4 = f64x2.add(
      f64x2.add(part4, f64x2.mul(firstOf(part4), second)),
      f64x2.mul(secondOf(sum2), kept2),
    )
    const sum6 = f64x2.add(
      f64x2.add(part6, f64x2.mul(firstOf(part6), second)),
      f64x2.mul(secondOf(sum4), kept2),
    )
    const sum8 = f64x2.add(
      f64x2.add(part8, f64x2.mul(firstOf(part8), second)),
      f64x2.mul(secondOf(sum6), kept2),
    )
    const distance = f64x2.sub(mean, base)
    out.setPair(i, f64x2.add(base, f64x2.add(sum2, f64x2.mul(distance, kept2))))
    out.setPair(i + 2, f64x2.add(base, f64x2.add(sum4, f64x2.mul(distance, kept4))))
    out.setPair(i + 4, f64x2.add(base, f64x2.add(sum6, f64x2.mul(distance, kept6))))
    const means = f64x2.add(base, f64x2.add(sum8, f64x2.mul(distance, kept8)))
    out.setPair(i + 6, means)
    mean = secondOf(means)
    base = secondOf(newest)
  }
  smoothing.mean = f64x2.extract_lane(mean, 0)
  smoothing.base = f64x2.extract_lane(base, 0)
  return i
}
