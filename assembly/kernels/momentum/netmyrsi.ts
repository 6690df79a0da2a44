import { Column, Frame } from '../../frame'
import { rounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Noise Elimination Technology on MyRSI: Kendall's correlation of the last `period` values of MyRSI with time, −1 to 1:
 * the number of pairs that rise minus the number that fall, divided by the number of all pairs. MyRSI is (R − F) / (R +
 * F), where R and F are the plain sums of the rises and falls of `period` candles; 0 where nothing moved. Two values
 * that are equal but for rounding are a tie.
 * Source: Ehlers, Noise Elimination Technology, Stocks & Commodities (December 2020); VectorTA net_myrsi.
 */
export function netmyrsi(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const first = warmup(out, from, to, 2 * period - 1)
  const oldest = max(period, from - period)
  const strengths = frame.scratch(0).from(-oldest)
  if (oldest < to) writeStrengths(frame, strengths, oldest, to, period)
  // The counts of pairs and of missing values in the window are carried from candle to candle. They are whole numbers.
  let pairs: f64 = from === 0 ? 0 : state[0]
  let missing: f64 = from === 0 ? 0 : state[1]
  const share = 2 / (<f64>period * <f64>(period - 1))
  for (let i = max(from, period); i < to; i++) {
    const start = max(period, i - period + 1)
    const old = i - period
    if (old >= period) {
      pairs += sidesBelow(strengths, start, i, strengths[old])
      missing -= isNaN(strengths[old]) ? 1 : 0
    }
    pairs += sidesBelow(strengths, start, i, strengths[i])
    missing += isNaN(strengths[i]) ? 1 : 0
    if (i >= first) out[i] = missing > 0 ? NaN : pairs * share
  }
  state[0] = pairs
  state[1] = missing
}

/** Number of values in [from, to) below `value`, less the number above it, by more than rounding. */
function sidesBelow(x: Column, from: i32, to: i32, value: f64): f64 {
  const values = f64x2.splat(value)
  const one = f64x2.splat(1)
  const least = f64x2.splat(rounding)
  let sides = f64x2.splat(0)
  let j = from
  for (; j + 1 < to; j += 2) {
    const distance = f64x2.sub(values, x.pair(j))
    sides = f64x2.add(sides, v128.and(one, f64x2.gt(distance, least)))
    sides = f64x2.sub(sides, v128.and(one, f64x2.gt(f64x2.neg(distance), least)))
  }
  let total = f64x2.extract_lane(sides, 0) + f64x2.extract_lane(sides, 1)
  if (j < to) total += (value - x[j] > rounding ? 1 : 0) - (x[j] - value > rounding ? 1 : 0)
  return total
}

/** Writes MyRSI for the candles [from, to), `from ≥ period`. `out` is a scratch column. */
function writeStrengths(frame: Frame, out: Column, from: i32, to: i32, period: i32): void {
  const x = frame.input(0)
  const oldest = from - period + 1
  const rises = frame.scratch(1).from(-oldest)
  const falls = frame.scratch(2).from(-oldest)
  const sums = frame.scratch(3).from(-from)
  const zero = f64x2.splat(0)
  for (let i = oldest; i < to; i += 2) {
    const change = f64x2.sub(x.pair(i), x.pair(i - 1))
    // A missing change stays missing.
    rises.setPair(i, f64x2.pmax(change, zero))
    falls.setPair(i, f64x2.pmax(f64x2.neg(change), zero))
  }
  movingSum(rises, 1, out, from, to, period, frame.scratch(4))
  movingSum(falls, 1, sums, from, to, period, frame.scratch(4))
  for (let i = from; i < to; i += 2) {
    const up = out.pair(i)
    const down = sums.pair(i)
    const total = f64x2.add(up, down)
    const share = f64x2.div(f64x2.sub(up, down), total)
    out.setPair(i, v128.and(share, f64x2.ne(total, zero)))
  }
}
