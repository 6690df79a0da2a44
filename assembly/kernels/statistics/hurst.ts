import { Column, Frame } from '../../frame'
import { logarithms } from '../../parts/numbers/fast-log'
import { logReturns } from '../../parts/numbers/returns'
import { rounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/** Length of the shortest chunk, and maximum number of chunks of one length. */
const shortest: i32 = 8
const mostChunks: i32 = 32

/**
 * Hurst Exponent by the rescaled range: the last `period` logarithmic returns are cut into 1, 2, 4 … 32 chunks of at
 * least 8; the value is the slope of the line of least squares of the logarithm of the mean rescaled range on the
 * logarithm of the length of the chunks. `corrected` replaces the expected range of Anis and Lloyd by √(πn/2).
 * No value while a price of the window is not positive or a chunk has equal returns only.
 * Lean and QuanTAlib have other estimators.
 * Source: Skender.Stock.Indicators Hurst; Anis and Lloyd (1976).
 */
export function hurst(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const corrected = frame.output(1)
  const period = frame.integer(0)
  const first = warmup(value, from, to, period)
  warmup(corrected, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const returns = frame.scratch(0).from(-oldest)
  const ranges = frame.scratch(1).from(-oldest)
  logReturns(frame.input(0), returns, oldest, to)
  let scales: f64 = 0
  let mean: f64 = 0
  for (let q = 1; q <= mostChunks && period / q >= shortest; q *= 2) {
    scales += 1
    mean += Math.log(<f64>(period / q))
  }
  mean /= scales
  let spread: f64 = 0
  for (let q = 1; q <= mostChunks && period / q >= shortest; q *= 2) {
    const distance = Math.log(<f64>(period / q)) - mean
    spread += distance * distance
  }
  const afterValue = value[to]
  const afterCorrected = corrected[to]
  for (let i = first; i < to; i++) {
    value[i] = 0
    corrected[i] = 0
  }
  for (let q = 1; q <= mostChunks && period / q >= shortest; q *= 2) {
    const length = period / q
    const weight = f64x2.splat((Math.log(<f64>length) - mean) / spread)
    const correction = f64x2.splat(sqrt((Math.PI * <f64>length) / 2) - expectedRange(length))
    const share = f64x2.splat(<f64>q)
    rescaledRanges(returns, ranges, first, to, length, q)
    for (let i = first; i < to; i += 2) {
      let sum = ranges.pair(i)
      for (let m = 1; m < q; m++) sum = f64x2.add(sum, ranges.pair(i - m * length))
      const range = f64x2.div(sum, share)
      const other = f64x2.add(range, correction)
      value.setPair(i, f64x2.add(value.pair(i), f64x2.mul(weight, logarithms(range))))
      corrected.setPair(i, f64x2.add(corrected.pair(i), f64x2.mul(weight, logarithms(other))))
    }
  }
  value[to] = afterValue
  corrected[to] = afterCorrected
}

/**
 * Writes the rescaled ranges of all chunks of `length` returns that belong to `count` consecutive chunks of which the
 * last ends at a candle in [from, to). Up to three elements behind them may be written as well: `out` is a scratch
 * column.
 */
function rescaledRanges(returns: Column, out: Column, from: i32, to: i32, length: i32, count: i32): void {
  let done = from - length * count
  for (let m = count - 1; m >= 0; m--) {
    const end = to - m * length
    for (let j = max(from - m * length, done); j < end; j += 4) {
      rescaledRangesAt(returns.from(j - length + 1), out.from(j), length)
    }
    done = end
  }
}

/**
 * Range of the running sum of the distances of `length` returns from their mean, in standard deviations of the returns;
 * NaN where they are all equal but for the rounding of prices. Computes the chunks that begin with the first four
 * returns at once.
 */
function rescaledRangesAt(returns: Column, out: Column, length: i32): void {
  const zero = f64x2.splat(0)
  const oldest = returns.pair(0)
  const otherOldest = returns.pair(2)
  let sum = zero
  let otherSum = zero
  let differ = zero
  let otherDiffer = zero
  const least = f64x2.splat(rounding)
  for (let k = 0; k < length; k++) {
    const value = returns.pair(k)
    const other = returns.pair(k + 2)
    sum = f64x2.add(sum, value)
    otherSum = f64x2.add(otherSum, other)
    differ = v128.or(differ, f64x2.gt(f64x2.abs(f64x2.sub(value, oldest)), least))
    otherDiffer = v128.or(otherDiffer, f64x2.gt(f64x2.abs(f64x2.sub(other, otherOldest)), least))
  }
  const size = f64x2.splat(<f64>length)
  const mean = f64x2.div(sum, size)
  const otherMean = f64x2.div(otherSum, size)
  let running = zero
  let otherRunning = zero
  let squares = zero
  let otherSquares = zero
  let highest = f64x2.splat(-Infinity)
  let otherHighest = highest
  let lowest = f64x2.splat(Infinity)
  let otherLowest = lowest
  for (let k = 0; k < length; k++) {
    const distance = f64x2.sub(returns.pair(k), mean)
    const other = f64x2.sub(returns.pair(k + 2), otherMean)
    running = f64x2.add(running, distance)
    otherRunning = f64x2.add(otherRunning, other)
    squares = f64x2.add(squares, f64x2.mul(distance, distance))
    otherSquares = f64x2.add(otherSquares, f64x2.mul(other, other))
    highest = f64x2.pmax(highest, running)
    otherHighest = f64x2.pmax(otherHighest, otherRunning)
    lowest = f64x2.pmin(lowest, running)
    otherLowest = f64x2.pmin(otherLowest, otherRunning)
  }
  out.setPair(0, ratioOf(f64x2.sub(highest, lowest), f64x2.div(squares, size), differ))
  out.setPair(2, ratioOf(f64x2.sub(otherHighest, otherLowest), f64x2.div(otherSquares, size), otherDiffer))
}

function ratioOf(range: v128, variance: v128, differ: v128): v128 {
  return v128.bitselect(f64x2.div(range, f64x2.sqrt(variance)), f64x2.splat(NaN), differ)
}

/** The longest chunk for which the quotient of gamma functions is calculated. */
const longestExact: i32 = 340

/** Expected rescaled range of `length` independent returns, by Anis and Lloyd. */
function expectedRange(length: i32): f64 {
  const n = <f64>length
  // Γ((k − 1)/2) / Γ(k/2) for k = 2, and each one from the one before.
  let quotient = sqrt(Math.PI)
  for (let k = 2; k < length; k++) quotient = 2 / (<f64>(k - 1) * quotient)
  const factor = length > longestExact ? sqrt(2 / (Math.PI * (n - 1))) : quotient / sqrt(Math.PI)
  let sum: f64 = 0
  for (let k = 1; k < length; k++) sum += sqrt((n - <f64>k) / <f64>k)
  return factor * sum
}
