import { Column, Frame } from '../../frame'
import { movingRange } from '../../parts/windows/extremes'

/**
 * Decay Channel: a line that jumps to each high above its last value and falls towards the middle in between, and its
 * mirror image at the lows. A line whose last extreme is n candles old moves by the share 1 − 2^(−n / period) of its
 * remaining distance to the middle. It accelerates, and half of the distance is done after about √(2·period) candles.
 * It never leaves the range of the last `period` candles.
 * Source: QuanTAlib Decaychannel, its Pine script.
 */
export function decaychannel(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const upper = frame.output(0)
  const lower = frame.output(1)
  const period = frame.integer(0)
  const keep = Math.exp(-Math.LN2 / <f64>period)
  const state = frame.state
  growingRange(high, low, upper, lower, from, min(to, period - 1))
  const first = max(from, period - 1)
  if (first < to) movingRange(high, low, 0, upper, lower, first, to, period, frame.scratch(0))
  // Lane 0 is the upper line, lane 1 the negated lower one, so the same steps serve both.
  let lines = from === 0 ? f64x2.splat(-Infinity) : state.pair(0)
  // Share of its distance to the middle that each line keeps at a candle: 1 at an extreme, halved every `period`
  // candles.
  let left = from === 0 ? f64x2.splat(1) : state.pair(2)
  const one = f64x2.splat(1)
  const half = f64x2.splat(0.5)
  const keeps = f64x2.splat(keep)
  for (let i = from; i < to; i++) {
    const now = f64x2.replace_lane(f64x2.splat(high[i]), 1, -low[i])
    const extremes = f64x2.replace_lane(f64x2.splat(upper[i]), 1, -lower[i])
    const isReached = f64x2.ge(now, lines)
    const tops = v128.bitselect(now, lines, isReached)
    left = v128.bitselect(one, f64x2.mul(left, keeps), isReached)
    const way = f64x2.mul(f64x2.add(tops, v128.shuffle<f64>(tops, tops, 1, 0)), half)
    lines = f64x2.pmin(extremes, f64x2.sub(tops, f64x2.mul(f64x2.sub(one, left), way)))
    upper[i] = f64x2.extract_lane(lines, 0)
    lower[i] = -f64x2.extract_lane(lines, 1)
  }
  state.setPair(0, lines)
  state.setPair(2, left)
}

/** Writes the highest high and the lowest low since the first candle. */
function growingRange(high: Column, low: Column, upper: Column, lower: Column, from: i32, to: i32): void {
  if (from >= to) return
  let top = f64x2.splat(-Infinity)
  let bottom = f64x2.splat(Infinity)
  for (let i = 0; i < to; i++) {
    top = f64x2.pmax(top, f64x2.splat(high[i]))
    bottom = f64x2.pmin(bottom, f64x2.splat(low[i]))
    if (i < from) continue
    upper[i] = f64x2.extract_lane(top, 0)
    lower[i] = f64x2.extract_lane(bottom, 0)
  }
}
