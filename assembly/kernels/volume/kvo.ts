import { Column, Frame } from '../../frame'
import { decayed } from '../../parts/averages/decayed-sums'
import { Segments } from '../../parts/averages/segments'
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
  let first = warmup(out, from, to, 1)
  const short = 2 / <f64>(frame.integer(0) + 1)
  const long = 2 / <f64>(frame.integer(1) + 1)
  const state = frame.state
  if (first === 1 && first < to) {
    // Before the first move the trend is neither 0 nor −0, so that it is a turn in either direction.
    state[0] = 1
    state[1] = 0
    state[2] = 0
    state[3] = 0
    state[4] = high[0] + low[0] + close[0]
    state[5] = high[0] - low[0]
    oscillators(high, low, close, volume, out, 1, 2, 1, 1, state)
    first = 2
  }
  if (first < to) oscillators(high, low, close, volume, out, first, to, short, long, state)
}

/** Numbers of state: the trend, 0 or −0, the distance travelled, both averages, and the price and the range of a candle. */
const kvoState = 6

/** The values of the candles after the first one. */
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
  Segments.interleave(min(short, long), kvoState)
  const shortWeight = f64x2.splat(short)
  const longWeight = f64x2.splat(long)
  const shortKeep = f64x2.splat(1 - short)
  const longKeep = f64x2.splat(1 - long)
  const minus = f64x2.splat(-0.0)
  let trend = Segments.number(state, 0)
  let travelled = Segments.number(state, 1)
  let shortMean = Segments.number(state, 2)
  let longMean = Segments.number(state, 3)
  let priceBefore = Segments.number(state, 4)
  let rangeBefore = Segments.number(state, 5)
  for (let i = from; i < to; i++) {
    const price = Segments.lanes(f64x2.add(f64x2.add(high.pair(i), low.pair(i)), close.pair(i)))
    const range = Segments.lanes(f64x2.sub(high.pair(i), low.pair(i)))
    // Whether a price rises cannot be predicted, so masks are cheaper than branches.
    const move = f64x2.sub(price, priceBefore)
    const stays = areRounding(f64x2.abs(move), priceBefore)
    const next = v128.bitselect(trend, v128.and(move, minus), stays)
    // The distance travelled restarts with the previous range at a turn.
    travelled = f64x2.add(v128.bitselect(travelled, rangeBefore, i64x2.eq(next, trend)), range)
    trend = next
    priceBefore = price
    rangeBefore = range
    const force = forceOf(Segments.lanes(volume.pair(i)), range, travelled, trend)
    shortMean = decayed(shortMean, f64x2.mul(force, shortWeight), shortKeep)
    longMean = decayed(longMean, f64x2.mul(force, longWeight), longKeep)
    Segments.write(out, i, f64x2.sub(shortMean, longMean))
  }
  Segments.setNumber(state, 0, trend)
  Segments.setNumber(state, 1, travelled)
  Segments.setNumber(state, 2, shortMean)
  Segments.setNumber(state, 3, longMean)
  Segments.setNumber(state, 4, priceBefore)
  Segments.setNumber(state, 5, rangeBefore)
}

/** The volume force; `travelled` is the sum of the ranges since the turn of the trend, whose sign it has. */
function forceOf(volume: v128, range: v128, travelled: v128, trend: v128): v128 {
  const share = f64x2.sub(f64x2.div(f64x2.add(range, range), travelled), f64x2.splat(1))
  const known = v128.and(share, f64x2.ne(travelled, f64x2.splat(0)))
  const size = f64x2.mul(f64x2.mul(volume, known), f64x2.splat(100))
  const minus = f64x2.splat(-0.0)
  return v128.or(v128.andnot(size, minus), v128.and(trend, minus))
}
