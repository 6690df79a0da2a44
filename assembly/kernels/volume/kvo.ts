import { Column, Frame } from '../../frame'
import { Halves } from '../../parts/averages/halves'
import { firstOf, secondOf } from '../../parts/numbers/lanes'
import { areEqual } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Klinger Volume Oscillator: an exponential average of the volume force over `shortPeriod` minus one over `longPeriod`.
 * The force is 100·volume·|2·range / travelled − 1|, positive while high + low + close rises and negative while it
 * falls; travelled is the sum of the ranges from the candle before the turn on.
 * Averages are seeded with the first force, that of the second candle; an unchanged price (but for rounding) continues
 * the trend; the force is 0 where nothing was travelled (Tulip has no value from there on). TradingView and
 * Skender.Stock.Indicators have no factor 100, or use the signed volume as force.
 * Source: Klinger, Stocks & Commodities (December 1997); Tulip Indicators kvo.
 */
export function kvo(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const out = frame.output(0)
  let first = warmup(out, from, to, 1)
  const short = 2 / <f64>(frame.integer(0) + 1)
  const long = 2 / <f64>(frame.integer(1) + 1)
  const state = frame.state
  if (first === 1 && first < to) {
    oscillators(high, low, close, volume, out, 1, 2, short, long, state)
    first = 2
  }
  if (first >= to) return
  const end = first + ((to - first) & ~1)
  if (first < end) oscillators(high, low, close, volume, out, first, end, short, long, state)
  if (end < to) oscillators(high, low, close, volume, out, end, to, short, long, state)
}

/** The values of whole pairs of candles, or of a single candle. State: the trend, the distance travelled and the averages. */
function oscillators(
  high: Column,
  low: Column,
  close: Column,
  volume: Column,
  out: Column,
  from: i32,
  to: i32,
  short: f64,
  long: f64,
  state: Column,
): void {
  Halves.interleave(min(short, long), 4)
  const isSingle = to - from === 1
  // Lane 0: the short average, lane 1: the long one.
  const alphas = f64x2.replace_lane(f64x2.splat(short), 1, long)
  const keeps = f64x2.sub(f64x2.splat(1), alphas)
  const after = out[to]
  // Two candles at a time; the candle before them is in the second lane of the pair before. Whether a price rises cannot
  // be predicted, so masks are cheaper than branches. A trend is a mask: no bit for up, all bits for down, and one bit
  // before the first move, which then is a turn in either direction.
  let isFirst = from === 1
  let trendsBefore = isFirst ? i64x2.splat(1) : trendOf(state[0])
  let travelled = f64x2.splat(isFirst ? 0 : state[1])
  let means = isFirst ? f64x2.splat(0) : state.pair(2)
  let meansOfFirst = means
  let pricesBefore = f64x2.splat(high[from - 1] + low[from - 1] + close[from - 1])
  let rangesBefore = f64x2.splat(high[from - 1] - low[from - 1])
  for (let i = from; i < to; i += 2) {
    const prices = f64x2.add(f64x2.add(high.pair(i), low.pair(i)), close.pair(i))
    const ranges = f64x2.sub(high.pair(i), low.pair(i))
    const trends = trendsOf(prices, v128.shuffle<f64>(pricesBefore, prices, 1, 2), trendsBefore)
    const goesOn = i64x2.eq(trends, v128.shuffle<f64>(trendsBefore, trends, 1, 2))
    // Addition to the distance travelled, which restarts with the previous range at a turn.
    const ways = f64x2.add(ranges, v128.andnot(v128.shuffle<f64>(rangesBefore, ranges, 1, 2), goesOn))
    // Lane 0 is the result of the first candle, then lane 1 that of the second.
    const first = f64x2.add(v128.and(secondOf(travelled), goesOn), ways)
    const second = f64x2.add(v128.and(firstOf(first), goesOn), ways)
    travelled = v128.shuffle<f64>(first, second, 0, 3)
    const forces = forcesOf(volume.pair(i), ranges, travelled, trends)
    const force = firstOf(forces)
    meansOfFirst = i === 1 ? force : smoothed(means, keeps, force, alphas)
    means = smoothed(meansOfFirst, keeps, secondOf(forces), alphas)
    out.setPair(
      i,
      f64x2.sub(v128.shuffle<f64>(meansOfFirst, means, 0, 2), v128.shuffle<f64>(meansOfFirst, means, 1, 3)),
    )
    trendsBefore = trends
    pricesBefore = prices
    rangesBefore = ranges
  }
  out[to] = after
  const trend = i64x2.extract_lane(isSingle ? trendsBefore : secondOf(trendsBefore), 0)
  state[0] = trend === 0 ? 1 : trend < 0 ? -1 : 2
  state[1] = f64x2.extract_lane(isSingle ? travelled : secondOf(travelled), 0)
  state.setPair(2, isSingle ? meansOfFirst : means)
}

/** The mask of a trend that the state holds: 1 for up, −1 for down, 2 before the first move. */
function trendOf(number: f64): v128 {
  return i64x2.splat(number === 1 ? 0 : number < 0 ? -1 : 1)
}

/** A product and a sum have one dependent operation fewer than a difference. */
function smoothed(means: v128, keeps: v128, forces: v128, weights: v128): v128 {
  return f64x2.add(f64x2.mul(means, keeps), f64x2.mul(forces, weights))
}

/** Trends of two candles. If the price stays, the trend is that of the previous candle. */
function trendsOf(prices: v128, earlier: v128, trendsBefore: v128): v128 {
  let trends = f64x2.lt(prices, earlier)
  const stays = areEqual(prices, earlier)
  // A price rarely stays, so this branch is well predicted.
  if (i64x2.bitmask(stays)) {
    trends = v128.bitselect(v128.shuffle<f64>(trendsBefore, trends, 1, 2), trends, stays)
    trends = v128.bitselect(firstOf(trends), trends, stays)
  }
  return trends
}

/** The volume forces of two candles; `travelled` are the sums of the ranges since the turns of the trend. */
function forcesOf(volumes: v128, ranges: v128, travelled: v128, trends: v128): v128 {
  const share = f64x2.sub(f64x2.div(f64x2.add(ranges, ranges), travelled), f64x2.splat(1))
  const shares = v128.and(share, f64x2.ne(travelled, f64x2.splat(0)))
  const sizes = f64x2.mul(f64x2.mul(volumes, shares), f64x2.splat(100))
  const minus = f64x2.splat(-0.0)
  return v128.or(v128.andnot(sizes, minus), v128.and(trends, minus))
}
