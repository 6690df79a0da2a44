import { Column, Frame } from '../../frame'
import { beginDecay, decayed, feed, saveNewest, shifted } from '../../parts/averages/decayed-sums'
import { pairOfTrueRanges, trueRange } from '../../parts/candles/true-range'

/**
 * Normalized Average True Range: Wilder's average true range in percent of the close.
 * 0 where the close is 0; a period of 1 is normalised like any other (TA-Lib returns the true range itself).
 * Source: Forman, Stocks & Commodities (May 2006); TA-Lib 0.6 NATR.
 */
export function natr(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const alpha = 1 / <f64>period
  if (from === 0 && to > 0) out[0] = NaN
  for (let i = max(from, 1), end = min(to, period + 1); i < end; i++) {
    const range = trueRange(high, low, close, i)
    feed(range, i, 1, period, alpha, state)
    out[i] = NaN
    if (i < period) continue
    const mean = state[0]
    out[i] = close[i] !== 0 ? (mean * 100) / close[i] : 0
    state.setPair(0, f64x2.splat(range))
    state.setPair(2, f64x2.splat(0))
    beginDecay(state.from(4), period > 1 ? (range - mean) / (1 - alpha) : 0, 0, 1 - alpha)
  }
  const first = max(from, period + 1)
  if (first >= to) return
  const end = first + ((to - first) & ~1)
  if (first < end) sharesOfPairs(frame, out, first, end, alpha, state)
  if (end < to) sharesOfPairs(frame, out, end, to, alpha, state)
}

/** The shares of whole pairs of candles, or of a single candle. State, in pairs: the range, its change, the decayed sum of that. */
function sharesOfPairs(frame: Frame, out: Column, from: i32, to: i32, alpha: f64, state: Column): void {
  const isSingle = to - from === 1
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const keep = f64x2.splat(1 - alpha)
  const twice = f64x2.mul(keep, keep)
  const hundred = f64x2.splat(100)
  const zero = f64x2.splat(0)
  const after = out[to]
  let ranges = state.pair(0)
  let changes = state.pair(2)
  let sums = state.pair(4)
  for (let i = from; i < to; i += 2) {
    const price = close.pair(i)
    const range = pairOfTrueRanges(high, low, close, i)
    const change = f64x2.sub(range, shifted(ranges, range))
    sums = decayed(sums, change, shifted(changes, change), keep, twice)
    ranges = range
    changes = change
    const mean = f64x2.sub(range, f64x2.mul(sums, keep))
    out.setPair(i, v128.andnot(f64x2.div(f64x2.mul(mean, hundred), price), f64x2.eq(price, zero)))
  }
  out[to] = after
  saveNewest(state, ranges, isSingle)
  saveNewest(state.from(2), changes, isSingle)
  saveNewest(state.from(4), sums, isSingle)
}
