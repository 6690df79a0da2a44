import { Column, Frame } from '../../frame'
import { AdaptiveAverage, adaptiveState, Weights } from '../../parts/averages/adaptive-average'
import { medianPrices } from '../../parts/candles/median-price'
import { writeExponentials } from '../../parts/numbers/exact-exp'
import { writeLogarithms } from '../../parts/numbers/exact-log'
import { warmup } from '../../parts/numbers/warmup'
import { movingMax, movingMin } from '../../parts/windows/extremes'

/**
 * Fractal Adaptive Moving Average: an exponential average of (high + low) / 2 whose weight follows from the fractal
 * dimension of the prices: the ranges of both halves of the window against the range of the whole.
 * An odd period counts as the even number above it. Starts with the price before the first value. jesse and VectorTA
 * smooth the close and add two more periods.
 * Source: Ehlers, FRAMA (2005); Lean FractalAdaptiveMovingAverage.
 */
export function frama(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const state = frame.state
  const half = (frame.integer(0) + 1) >> 1
  const period = 2 * half
  if (from === 0) state[adaptiveState] = 1
  const i = warmup(out, from, to, period)
  if (i >= to) return
  const oldest = i - half
  const tops = frame.scratch(0).from(-oldest)
  const bottoms = frame.scratch(1).from(-oldest)
  const suffixes = frame.scratch(2)
  movingMax(high, 0, tops, oldest, to, half, suffixes)
  movingMin(low, 0, bottoms, oldest, to, half, suffixes)
  weigh(tops, bottoms, out, i, to, half, state.from(adaptiveState))
  const prices = frame.scratch(2).from(1 - i)
  medianPrices(high, low, prices, i - 1, to)
  AdaptiveAverage.write(prices, out, i, to, period - 1, state, Weights.given, out, out, 0, 0)
}

/**
 * Writes the weights of candles, e to the power of −4.6·(D − 1) between 0.01 and 1, where D, the fractal dimension, is
 * log₂(2·(a + b) / c), with the ranges a and b of both halves and c of the whole. If a range is 0, the weight is the
 * previous one, which `last` holds.
 */
function weigh(
  tops: Column,
  bottoms: Column,
  out: Column,
  from: i32,
  to: i32,
  half: i32,
  last: Column,
): void {
  const zero = f64x2.splat(0)
  const none = f64x2.splat(NaN)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const newest = f64x2.sub(tops.pair(i), bottoms.pair(i))
    const older = f64x2.sub(tops.pair(i - half), bottoms.pair(i - half))
    const top = f64x2.pmax(tops.pair(i), tops.pair(i - half))
    const whole = f64x2.sub(top, f64x2.pmin(bottoms.pair(i), bottoms.pair(i - half)))
    const isKnown = f64x2.gt(f64x2.pmin(f64x2.pmin(newest, older), whole), zero)
    out.setPair(i, v128.bitselect(f64x2.div(f64x2.add(newest, older), whole), none, isKnown))
  }
  writeLogarithms(out, out, from, to)
  for (let i = from; i < to; i += 2) out.setPair(i, f64x2.mul(out.pair(i), f64x2.splat(-4.6 / Math.LN2)))
  writeExponentials(out, out, from, to)
  for (let i = from; i < to; i += 2) {
    const power = out.pair(i)
    out.setPair(i, f64x2.pmax(f64x2.splat(0.01), f64x2.pmin(f64x2.splat(1), power)))
    const known = i64x2.bitmask(f64x2.eq(power, power))
    if (known !== 3) {
      if ((known & 1) === 0) out[i] = i > from ? out[i - 1] : last[0]
      if ((known & 2) === 0) out[i + 1] = out[i]
    }
  }
  last[0] = out[to - 1]
  out[to] = after
}
