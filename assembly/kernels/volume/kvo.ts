import { Frame } from '../../frame'
import { warmup } from '../../parts/warmup'

/**
 * Klinger Volume Oscillator: an exponential average of the volume force over `shortPeriod` less one over
 * `longPeriod`. The force is 100·volume·|2·range / travelled − 1|, positive while high + low + close rises and negative
 * while it falls; travelled is the sum of the ranges since the candle before the turn.
 * Averages are seeded with the first force, that of the second candle; an unchanged price continues the trend;
 * the force is 0 where nothing was travelled (Tulip has no value there, nor ever after).
 * Others (TradingView, Skender.Stock.Indicators) have no factor 100, or take the plain signed volume as force.
 * Source: Klinger, Stocks & Commodities 12/1997; Tulip Indicators kvo.
 */
export function kvo(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const out = frame.output(0)
  const state = frame.state
  // Lane 0: the short average, lane 1: the long one.
  const alphas = f64x2.replace_lane(
    f64x2.splat(2 / <f64>(frame.integer(0) + 1)),
    1,
    2 / <f64>(frame.integer(1) + 1),
  )
  let i = warmup(out, from, to, 1)
  if (i >= to) return
  const isFirst = i === 1
  const zero = f64x2.splat(0)
  const one = f64x2.splat(1)
  // Two candles at a time; the candle before them is in the second lane of the pair before. Whether a price rises cannot
  // be predicted, so masks are cheaper than branches. Trends are 1 for up and −1 for down, and 2 before the first move,
  // which then is a turn in either direction.
  let trendsBefore = f64x2.splat(isFirst ? 2 : state[0])
  let travelled = f64x2.splat(isFirst ? 0 : state[1])
  let means = isFirst ? zero : state.pair(2)
  let weights = isFirst ? one : alphas
  let pricesBefore = f64x2.splat(high[i - 1] + low[i - 1] + close[i - 1])
  let rangesBefore = f64x2.splat(high[i - 1] - low[i - 1])
  for (; i < to; i += 2) {
    const prices = f64x2.add(f64x2.add(high.pair(i), low.pair(i)), close.pair(i))
    const ranges = f64x2.sub(high.pair(i), low.pair(i))
    const earlier = v128.shuffle<f64>(pricesBefore, prices, 1, 2)
    const rises = f64x2.gt(prices, earlier)
    const falls = f64x2.lt(prices, earlier)
    const trends = trendsOf(rises, falls, trendsBefore)
    const turns = f64x2.ne(trends, v128.shuffle<f64>(trendsBefore, trends, 1, 2))
    const startRanges = v128.shuffle<f64>(rangesBefore, ranges, 1, 2)
    const first = f64x2.add(v128.bitselect(startRanges, travelled, turns), ranges)
    const onward = v128.shuffle<f64>(first, first, 0, 0)
    const second = f64x2.add(v128.bitselect(startRanges, onward, turns), ranges)
    const distances = v128.shuffle<f64>(first, second, 0, 3)
    const forces = forcesOf(volume.pair(i), ranges, distances, trends)
    means = f64x2.add(means, f64x2.mul(f64x2.sub(v128.shuffle<f64>(forces, forces, 0, 0), means), weights))
    weights = alphas
    out[i] = f64x2.extract_lane(means, 0) - f64x2.extract_lane(means, 1)
    if (i + 1 === to) {
      trendsBefore = v128.shuffle<f64>(trends, trends, 0, 0)
      travelled = onward
      break
    }
    means = f64x2.add(means, f64x2.mul(f64x2.sub(v128.shuffle<f64>(forces, forces, 1, 1), means), alphas))
    out[i + 1] = f64x2.extract_lane(means, 0) - f64x2.extract_lane(means, 1)
    travelled = v128.shuffle<f64>(second, second, 1, 1)
    trendsBefore = trends
    pricesBefore = prices
    rangesBefore = ranges
  }
  state[0] = f64x2.extract_lane(trendsBefore, 1)
  state[1] = f64x2.extract_lane(travelled, 1)
  state.setPair(2, means)
}

/** The trends of two candles: 1 where the price rises, −1 where it falls, that of the candle before where it stays. */
function trendsOf(rises: v128, falls: v128, trendsBefore: v128): v128 {
  const zero = f64x2.splat(0)
  let trends = v128.or(v128.and(rises, f64x2.splat(1)), v128.and(falls, f64x2.splat(-1)))
  // A price rarely stays, so that this branch is foreseen.
  if (!i64x2.all_true(v128.or(rises, falls))) {
    trends = v128.bitselect(trends, v128.shuffle<f64>(trendsBefore, trends, 1, 2), f64x2.ne(trends, zero))
    trends = v128.bitselect(trends, v128.shuffle<f64>(trends, trends, 0, 0), f64x2.ne(trends, zero))
  }
  return trends
}

/** The volume forces of two candles; `travelled` are the sums of the ranges since the turns of the trend. */
function forcesOf(volumes: v128, ranges: v128, travelled: v128, trends: v128): v128 {
  const share = f64x2.abs(f64x2.sub(f64x2.div(f64x2.add(ranges, ranges), travelled), f64x2.splat(1)))
  const shares = v128.and(share, f64x2.ne(travelled, f64x2.splat(0)))
  const sizes = f64x2.abs(f64x2.mul(f64x2.mul(volumes, shares), f64x2.splat(100)))
  return v128.or(sizes, v128.and(trends, f64x2.splat(-0.0)))
}
