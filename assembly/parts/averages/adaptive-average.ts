import { Column } from '../../frame'
import { firstOf, secondOf } from '../numbers/lanes'

/** Numbers of state of an adaptive average. */
export const adaptiveState: i32 = 3

/** Source of the weights of an adaptive average. The argument is a constant in every call. */
export enum Weights {
  /** The first column has the weights. */
  given,
  /** `factor` times the first column divided by the second, 0 where the second is 0. */
  quotient,
  /** Kaufman's weights: the change over `period` candles divided by the path in the first column. */
  efficiency,
}

/** A view of the state. */
@final
@unmanaged
class Progress {
  /** Distance of the average from the value before the next pair, or before the pair whose second candle is next. */
  distance: f64
  /** The weight of the first candle of a pair whose second one is to come, else 0. */
  weight: f64
  /** The value before that pair, else 0. */
  before: f64
}

/** Methods, because only they are inlined where the kind of weights is a constant. */
export class AdaptiveAverage {
  /**
   * Writes an average that moves by a share of its own at each candle, m[i] = m[i − 1] + w[i]·(x[i] − m[i − 1]), for i
   * in [from, to); at candle `seed`, before `from`, the average is the value itself. Columns of weights may be `out`,
   * and x may not. State: `adaptiveState` numbers.
   *
   * Pairs of candles are counted from the one after the seed. The state carries the distance of the average from the
   * value before the pair, e = m − b. With k = 1 − w and d = x − b,
   *
   *   first candle    m = b + (k₀·e + w₀·d₀)
   *   second one      m = x₁ + e',   e' = k₀·k₁·e + k₁·(w₀·d₀ − d₁)
   *
   * so a pair waits only for a product and a sum of the previous one. In a flat market each d is 0 and e moves closer
   * to 0 with each candle or stays unchanged: the last bit of the average does not oscillate.
   */
  @inline
  static write(
    x: Column,
    out: Column,
    from: i32,
    to: i32,
    seed: i32,
    state: Column,
    kind: Weights,
    first: Column,
    second: Column,
    factor: f64,
    period: i32,
  ): void {
    const progress = changetype<Progress>(state)
    if (from === seed + 1) progress.distance = 0
    let i = from
    if (i < to && ((i - seed) & 1) === 0) {
      const weights = AdaptiveAverage.weightsAt(x, i, kind, first, second, factor, period)
      out[i] = averageAtSecond(progress, f64x2.extract_lane(weights, 0), x[i - 1], x[i])
      i++
    }
    let distance = f64x2.splat(progress.distance)
    const one = f64x2.splat(1)
    let value = changetype<usize>(x.from(i - 1))
    let part = changetype<usize>(first.from(i))
    let whole = changetype<usize>(second.from(i))
    let result = changetype<usize>(out.from(i))
    for (; i + 1 < to; i += 2) {
      const values = v128.load(value, 8)
      const before = v128.load64_splat(value)
      const weights = AdaptiveAverage.weights(value, part, whole, kind, factor, period)
      const distances = f64x2.sub(values, before)
      const moved = f64x2.mul(weights, distances)
      const missed = v128.shuffle<f64>(f64x2.splat(0), distances, 0, 3)
      const kept = f64x2.sub(one, weights)
      const keeps = f64x2.mul(v128.shuffle<f64>(one, kept, 0, 2), kept)
      const parts = f64x2.mul(f64x2.sub(firstOf(moved), missed), v128.shuffle<f64>(one, kept, 0, 3))
      const after = f64x2.add(f64x2.mul(distance, keeps), parts)
      v128.store(result, f64x2.add(v128.shuffle<f64>(before, values, 0, 3), after))
      distance = secondOf(after)
      value += 16
      part += 16
      whole += 16
      result += 16
    }
    progress.distance = f64x2.extract_lane(distance, 0)
    progress.weight = 0
    progress.before = 0
    if (i < to) {
      const weights = AdaptiveAverage.weightsAt(x, i, kind, first, second, factor, period)
      out[i] = averageAtFirst(progress, f64x2.extract_lane(weights, 0), x[i - 1], x[i])
    }
  }

  /** The weights at the candles `i` and `i + 1`. */
  @inline
  static weightsAt(
    x: Column,
    i: i32,
    kind: Weights,
    first: Column,
    second: Column,
    factor: f64,
    period: i32,
  ): v128 {
    const value = changetype<usize>(x.from(i - 1))
    const part = changetype<usize>(first.from(i))
    return AdaptiveAverage.weights(value, part, changetype<usize>(second.from(i)), kind, factor, period)
  }

  /**
   * The weights of two candles. Their values begin 8 bytes after `value`; `part` and `whole` are the addresses of the
   * columns that determine the weights.
   */
  @inline
  static weights(value: usize, part: usize, whole: usize, kind: Weights, factor: f64, period: i32): v128 {
    const first = v128.load(part)
    if (kind === Weights.given) return first
    if (kind === Weights.quotient) {
      const divisor = v128.load(whole)
      const shares = f64x2.div(f64x2.mul(f64x2.splat(factor), first), divisor)
      return v128.and(shares, f64x2.gt(divisor, f64x2.splat(0)))
    }
    const slow = 2.0 / 31
    const gap = 2.0 / 3 - slow
    const move = f64x2.abs(f64x2.sub(v128.load(value, 8), v128.load(value + 8 - ((<usize>period) << 3))))
    const efficiency = f64x2.pmin(f64x2.splat(1), f64x2.div(move, first))
    const root = f64x2.add(f64x2.mul(efficiency, f64x2.splat(gap)), f64x2.splat(slow))
    return f64x2.mul(root, root)
  }
}

/** The average at the first candle of a pair whose second one is to come. */
function averageAtFirst(progress: Progress, weight: f64, before: f64, value: f64): f64 {
  progress.weight = weight
  progress.before = before
  return before + (progress.distance * (1 - weight) + weight * (value - before))
}

/** The average at the second candle of a pair. */
function averageAtSecond(progress: Progress, weight: f64, first: f64, value: f64): f64 {
  const before = progress.before
  const kept = 1 - weight
  const part = (progress.weight * (first - before) - (value - before)) * kept
  progress.distance = progress.distance * ((1 - progress.weight) * kept) + part
  return value + progress.distance
}
