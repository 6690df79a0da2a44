import { Column, Frame } from '../../frame'
import {
  beginPair,
  decayedDifferences,
  delayed,
  endPair,
  endsOdd,
  held,
} from '../../parts/averages/decayed-sums'
import { firstOf, secondOf } from '../../parts/numbers/lanes'
import { areRounding } from '../../parts/numbers/tie'
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
  const first = warmup(out, from, to, 1)
  if (first >= to) return
  const short = 2 / <f64>(frame.integer(0) + 1)
  const long = 2 / <f64>(frame.integer(1) + 1)
  const state = frame.state
  if (first === 1) {
    for (let k = 0; k < forceState; k++) state[k] = 0
    // Before the first move the trend is neither 0 nor −0, so that it is a turn in either direction.
    state[1] = 1
    state[5] = high[0] + low[0] + close[0]
    state[7] = high[0] - low[0]
  }
  forces(high, low, close, volume, out, first, to, state)
  const averages = state.from(forceState)
  // The averages begin as if all earlier forces had been the first one.
  if (first === 1) {
    const force = out[1]
    beginPair(averages, 0, force, force, 1)
    beginPair(averages, 2, force / short, force, 1 - short)
    beginPair(averages, 4, force / long, force, 1 - long)
    out[1] = 0
  }
  decayedDifferences<Column>(out, out, max(first, 2), to, 1 - short, short, 1 - long, long, averages)
}

/** Numbers of state of forces: pairs of trends, 0 or −0, of distances travelled, prices and ranges. */
const forceState = 8

/** The volume forces of the candles after the first one. */
function forces(
  high: Column,
  low: Column,
  close: Column,
  volume: Column,
  out: Column,
  from: i32,
  to: i32,
  state: Column,
): void {
  if (endsOdd(from, to)) {
    forces(high, low, close, volume, out, from, to - 1, state)
    from = to - 1
  }
  const minus = f64x2.splat(-0.0)
  let trends = state.pair(0)
  let distances = state.pair(2)
  let prices = state.pair(4)
  let ranges = state.pair(6)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const price = f64x2.add(f64x2.add(high.pair(i), low.pair(i)), close.pair(i))
    const range = f64x2.sub(high.pair(i), low.pair(i))
    // Whether a price rises cannot be predicted, so masks are cheaper than branches.
    const priceBefore = delayed(prices, price)
    const move = f64x2.sub(price, priceBefore)
    let trend = v128.and(move, minus)
    const stays = areRounding(f64x2.abs(move), priceBefore)
    // An unchanged price is rare.
    if (v128.any_true(stays)) trend = held(trends, trend, stays)
    // The distance travelled restarts with the previous range at a turn. Both candles of a pair follow from the pair before.
    const continues = i64x2.eq(trend, delayed(trends, trend))
    const restarted = f64x2.add(delayed(ranges, range), range)
    const both = v128.and(firstOf(continues), secondOf(continues))
    const one = f64x2.add(secondOf(distances), firstOf(range))
    const begun = f64x2.add(firstOf(restarted), secondOf(range))
    const second = v128.bitselect(begun, restarted, continues)
    const two = v128.bitselect(f64x2.add(one, secondOf(range)), second, both)
    distances = v128.shuffle<f64>(v128.bitselect(one, restarted, continues), two, 0, 3)
    out.setPair(i, forceOf(volume.pair(i), range, distances, trend))
    trends = trend
    prices = price
    ranges = range
  }
  out[to] = after
  endPair(state, 0, trends, from, to)
  endPair(state, 2, distances, from, to)
  endPair(state, 4, prices, from, to)
  endPair(state, 6, ranges, from, to)
}

/** The volume force; `travelled` is the sum of the ranges since the turn of the trend, whose sign it has. */
function forceOf(volume: v128, range: v128, travelled: v128, trend: v128): v128 {
  const share = f64x2.sub(f64x2.div(f64x2.add(range, range), travelled), f64x2.splat(1))
  const known = v128.and(share, f64x2.ne(travelled, f64x2.splat(0)))
  const size = f64x2.mul(f64x2.mul(volume, known), f64x2.splat(100))
  const minus = f64x2.splat(-0.0)
  return v128.or(v128.andnot(size, minus), v128.and(trend, minus))
}
