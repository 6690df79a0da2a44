import { Column, Frame } from '../../frame'
import { difference } from '../../parts/numbers/difference'
import { warmup } from '../../parts/numbers/warmup'
import { deviationAlone } from '../../parts/windows/deviation'
import { movingMean, movingSum } from '../../parts/windows/sums'

/**
 * MAC-Z: a·z + b·m. z is the distance of the close from its volume-weighted mean of `zPeriod` candles, divided by the
 * root mean square of these distances. m is the fast mean minus the slow mean, divided by the standard deviation of the
 * close. `signal` is the mean of the value, `histogram` the value minus the signal.
 * Each distance is from the mean of its own candle; no value where a divisor is 0. Without the script's optional
 * Laguerre smoothing.
 * Source: LazyBear, MAC-Z (TradingView); VectorTA macz.
 */
export function macz(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const value = frame.output(0)
  const signal = frame.output(1)
  const histogram = frame.output(2)
  const fast = frame.integer(0)
  const slow = frame.integer(1)
  const tail = frame.integer(2) - 1
  const count = frame.integer(3)
  const spread = frame.integer(4)
  const start = max(max(slow, spread), 2 * count - 1) - 1
  const first = warmup(value, from, to, start)
  warmup(histogram, from, to, start + tail)
  const signalFrom = warmup(signal, from, to, start + tail)
  if (first >= to) return
  // The signal reads values before the first one of this call.
  const oldest = max(start, from - tail)
  const values = frame.scratch(0).from(-oldest)
  const means = frame.scratch(1).from(-oldest)
  const others = frame.scratch(2).from(-oldest)
  const suffixes = frame.scratch(6)
  movingMean(close, 0, means, oldest, to, fast, suffixes)
  movingMean(close, 0, others, oldest, to, slow, suffixes)
  difference(means, others, means, oldest, to)
  deviationAlone(close, 0, others, oldest, to, spread, suffixes, 1)
  divide(means, others, values, oldest, to, frame.number(6))
  scores(frame, means, others, oldest, to, count)
  const scale = f64x2.splat(frame.number(5))
  for (let i = oldest; i < to; i += 2) {
    values.setPair(i, f64x2.add(values.pair(i), f64x2.mul(means.pair(i), scale)))
  }
  for (let i = first; i < to; i++) value[i] = values[i]
  movingMean(values, start, signal, signalFrom, to, tail + 1, suffixes)
  difference(value, signal, histogram, signalFrom, to)
}

/** Writes the distances of the close from its volume-weighted mean, in units of their size, to `out`. */
function scores(frame: Frame, out: Column, sizes: Column, from: i32, to: i32, period: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const suffixes = frame.scratch(6)
  const distancesFrom = from - period + 1
  const oldest = distancesFrom - period + 1
  const turnovers = frame.scratch(3).from(-oldest)
  const distances = frame.scratch(4).from(-distancesFrom)
  const volumes = frame.scratch(5).from(-distancesFrom)
  for (let i = oldest; i < to; i += 2) turnovers.setPair(i, f64x2.mul(close.pair(i), volume.pair(i)))
  movingSum(turnovers, 0, distances, distancesFrom, to, period, suffixes)
  movingSum(volume, 0, volumes, distancesFrom, to, period, suffixes)
  divide(distances, volumes, distances, distancesFrom, to, 1)
  difference(close, distances, distances, distancesFrom, to)
  // The weighted mean of equal closes may differ from them in its last digit.
  let equal = 0
  for (let j = oldest; j < to; j++) {
    equal = j > oldest && close[j] === close[j - 1] ? equal + 1 : 1
    if (equal >= period && j >= distancesFrom && volumes[j] !== 0) distances[j] = 0
  }
  const squares = turnovers
  for (let i = distancesFrom; i < to; i += 2) {
    squares.setPair(i, f64x2.mul(distances.pair(i), distances.pair(i)))
  }
  movingMean(squares, period - 1, sizes, from, to, period, suffixes)
  for (let i = from; i < to; i += 2) sizes.setPair(i, f64x2.sqrt(sizes.pair(i)))
  divide(distances, sizes, out, from, to, 1)
}

/** Writes `out[i] = scale·a[i] / b[i]` for i in [from, to), NaN where b is 0. `out` is a scratch column. */
function divide(a: Column, b: Column, out: Column, from: i32, to: i32, scale: f64): void {
  for (let i = from; i < to; i += 2) {
    const divisor = b.pair(i)
    const share = f64x2.div(f64x2.mul(a.pair(i), f64x2.splat(scale)), divisor)
    out.setPair(i, v128.bitselect(f64x2.splat(NaN), share, f64x2.eq(divisor, f64x2.splat(0))))
  }
}
