import { Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { movingMax, movingMin, movingRange } from '../../parts/windows/extremes'
import { movingMean } from '../../parts/windows/sums'

/** Kinds of candles, as the labels of the entry number them. */
namespace Kind {
  export const low: i32 = 1
  export const lowChurn: i32 = 5
}

/**
 * Better Volume: the candle with the lowest volume of the last `period` (`low`), the largest product of volume and
 * range (`climax`), the largest or smallest quotient of volume and range (`churn`, `lowchurn`), or both the largest
 * product and the largest quotient (`climaxchurn`); `average` is the mean volume over `averagePeriod` candles.
 * The last of these that applies counts, so `lowchurn` hides `climax`. An older candle may have the same extreme, but
 * for rounding. A candle without a range has the quotient of the previous one. Later versions divide the volume among
 * buyers and sellers.
 * Source: Taylor, Better Volume (emini-watch.com, 2008).
 */
export function bettervolume(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const volume = frame.input(2)
  const value = frame.output(0)
  const average = frame.output(1)
  const state = frame.state
  const period = frame.integer(0)
  const tail = period - 1
  const averagePeriod = frame.integer(1)
  const suffixes = frame.scratch(5)
  const meanFrom = warmup(average, from, to, averagePeriod - 1)
  movingMean(volume, 0, average, meanFrom, to, averagePeriod, suffixes)
  const quotients = frame.scratch(0).from(tail - from)
  restoreOverlap(quotients, from, tail, state.from(1), from === 0)
  let last = from === 0 ? 0 : state[0]
  for (let i = from; i < to; i++) {
    const range = high[i] - low[i]
    last = range !== 0 ? volume[i] / range : last
    quotients[i] = last
  }
  state[0] = last
  saveOverlap(quotients, to, tail, state.from(1))
  const first = warmup(value, from, to, tail)
  if (first >= to) return
  const oldest = first - tail
  const products = frame.scratch(1).from(-oldest)
  const most = frame.scratch(2).from(-first)
  const least = frame.scratch(3).from(-first)
  const largest = frame.scratch(4).from(-first)
  for (let i = oldest; i < to; i++) products[i] = volume[i] * (high[i] - low[i])
  movingRange(quotients, quotients, 0, most, least, first, to, period, suffixes)
  movingMax(products, 0, largest, first, to, period, suffixes)
  movingMin(volume, 0, value, first, to, period, suffixes)
  for (let i = first; i < to; i++) {
    // 1 for a climax and 2 for churn; with both, and with the next number, they are the labels after `low`.
    const large = <i32>isAtLeast(products[i], largest[i]) + 2 * <i32>isAtLeast(quotients[i], most[i])
    const isLow = <i32>(volume[i] === value[i]) * Kind.low
    value[i] = isAtLeast(least[i], quotients[i]) ? Kind.lowChurn : large > 0 ? large + 1 : isLow
  }
}

/** Whether `a ≥ b` but for rounding. Ranges of whole ticks, and products of them, differ by some 1e-13 of their size. */
function isAtLeast(a: f64, b: f64): bool {
  return a >= b - 1e-9 * abs(b)
}
