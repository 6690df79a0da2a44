import { Column, Frame } from '../frame'
import { AdaptiveAverage, adaptiveState, Weights } from '../parts/averages/adaptive-average'
import { exponentialAverage, exponentialState } from '../parts/averages/exponential-average'
import { Cycle } from '../parts/averages/hilbert'
import {
  doubleExponential,
  doubleState,
  tillson,
  tripleExponential,
  tripleState,
} from '../parts/averages/repeated-exponential'
import { warmup } from '../parts/numbers/warmup'
import { movingMean, movingSum } from '../parts/windows/sums'
import { movingWeightedMean } from '../parts/windows/weighted-means'
import { namedAverage, namedLookback, namedState } from './named-average'

/**
 * A moving average of the kind `type` by TA-Lib's numbers: 0 SMA, 1 EMA, 2 WMA, 3 DEMA, 4 TEMA, 5 TRIMA, 6 KAMA,
 * 7 MAMA (limits 0.5 and 0.05, whatever the period), 8 T3 (volume factor 0.7); above these an average that is chosen by
 * name. A period of 1 is a copy.
 *
 * `x` has values from `start` on and is read as far back as the average's own lookback; `out` is NaN before
 * `start` plus that lookback. State and lookback are those of its entry. Three scratch columns of `frame`
 * from `scratch` on are used. x and out must not overlap.
 */
export function average(
  type: i32,
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
  frame: Frame,
  scratch: i32,
): void {
  const first = frame.scratch(scratch)
  const second = frame.scratch(scratch + 1)
  if (period === 1) copy(x, start, out, from, to)
  else if (type === 0) movingMean(x, start, out, warmup(out, from, to, start + period - 1), to, period, first)
  else if (type === 1) exponentialAverage(x, start, out, from, to, period, 2 / <f64>(period + 1), state)
  else if (type === 2)
    movingWeightedMean(x, start, out, warmup(out, from, to, start + period - 1), to, period, first)
  else if (type === 3) doubleExponential(x, start, out, from, to, period, state)
  else if (type === 4) tripleExponential(x, start, out, from, to, period, state)
  else if (type === 5) triangular(x, start, out, from, to, period, first, second)
  else if (type === 6) kaufman(x, start, out, from, to, period, state, first, second)
  else if (type === 7) mesa(x, start, out, first.from(-from), from, to, 0.5, 0.05, state)
  else if (type === 8) tillson(x, start, out, from, to, period, 0.7, state)
  else namedAverage(type, x, start, out, from, to, period, state, frame, scratch)
}

/** Values that an average of the kind `type` needs before its first one. */
export function averageLookback(type: i32, period: i32): i32 {
  if (period === 1) return 0
  if (type === 3) return 2 * (period - 1)
  if (type === 4) return 3 * (period - 1)
  if (type === 6) return period
  if (type === 7) return 32
  if (type === 8) return 6 * (period - 1)
  if (type > 8) return namedLookback(type, period)
  return period - 1
}

/** Size of the state of an average of the kind `type`, in numbers. */
export function averageState(type: i32, period: i32): i32 {
  if (period === 1 || type === 0 || type === 2 || type === 5) return 0
  if (type === 3) return doubleState
  if (type === 4) return tripleState
  if (type === 6) return adaptiveState
  if (type === 7) return Cycle.size + 3
  if (type === 8) return 6
  if (type > 8) return namedState(type, period)
  return type === 1 ? exponentialState : 1
}

function copy(x: Column, start: i32, out: Column, from: i32, to: i32): void {
  for (let i = warmup(out, from, to, start); i < to; i++) out[i] = x[i]
}

/** Triangular average: the mean of the means of half the period each. */
export function triangular(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  first: Column,
  second: Column,
): void {
  const begin = warmup(out, from, to, start + period - 1)
  if (begin >= to) return
  const inner = (period + 1) >> 1
  const outer = period + 1 - inner
  const innerFrom = begin - outer + 1
  const means = first.from(-innerFrom)
  movingMean(x, start, means, innerFrom, to, inner, second)
  movingMean(means, start + inner - 1, out, begin, to, outer, second)
}

/**
 * Kaufman's adaptive average (1998): its weight is the square of a mean of 2/31 and 2/3 weighted by the efficiency
 * of the last `period` changes. Starts from the value before the first output, as TA-Lib does.
 */
export function kaufman(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
  first: Column,
  second: Column,
): void {
  const begin = warmup(out, from, to, start + period)
  if (begin >= to) return
  const changesFrom = begin - period + 1
  const changes = first.from(-changesFrom)
  for (let k = changesFrom; k < to; k += 2) changes.setPair(k, f64x2.abs(f64x2.sub(x.pair(k), x.pair(k - 1))))
  movingSum(changes, start + 1, out, begin, to, period, second)
  const seed = start + period - 1
  AdaptiveAverage.write(x, out, begin, to, seed, state, Weights.efficiency, out, out, 0, period)
}

/**
 * MESA adaptive average and its follower (Ehlers 2001): its weight is `fastLimit` divided by the degrees by which the
 * phase of the dominant cycle moved, at least `slowLimit`. The follower has half that weight. The phase is the
 * arctangent of the quotient and the first twelve candles are ignored, as in TA-Lib.
 */
export function mesa(
  x: Column,
  start: i32,
  out: Column,
  follower: Column,
  from: i32,
  to: i32,
  fastLimit: f64,
  slowLimit: f64,
  state: Column,
): void {
  const cycle = Cycle.of(state)
  const lines = state.from(Cycle.size)
  if (from <= start) {
    cycle.reset()
    for (let k = 0; k < 3; k++) lines[k] = 0
  }
  let phase = lines[0]
  let mean = lines[1]
  let slow = lines[2]
  const degrees = 180 / Math.PI
  const lookback = start + 32
  warmup(follower, from, to, lookback)
  warmup(out, from, to, lookback)
  for (let i = max(from, start + Cycle.start); i < to; i++) {
    cycle.step(x, i)
    const inPhase = cycle.inPhase(i)
    const angle = inPhase !== 0 ? Math.atan(cycle.quadrature(i) / inPhase) * degrees : 0
    const turned = phase - angle
    phase = angle
    let weight = fastLimit
    if (turned > 1) {
      weight = fastLimit / turned
      if (weight < slowLimit) weight = slowLimit
    }
    mean = weight * x[i] + (1 - weight) * mean
    slow = 0.5 * weight * mean + (1 - 0.5 * weight) * slow
    if (i >= lookback) {
      out[i] = mean
      follower[i] = slow
    }
  }
  lines[0] = phase
  lines[1] = mean
  lines[2] = slow
}
