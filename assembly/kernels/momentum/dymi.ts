import { Column, Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { deviationAlone } from '../../parts/windows/deviation'
import { movingMean } from '../../parts/windows/sums'

/**
 * Dynamic Momentum Index: the relative strength of the plain sums of rises and falls over n candles. n is `period`·m /
 * d, limited to `minPeriod` … `maxPeriod`, where d is the standard deviation and m its mean.
 * Deviations of the population. n is `maxPeriod` where d is 0; the index is 50 where nothing moved.
 * Source: Chande and Kroll, The New Technical Trader (1994); ooples CalculateDynamicMomentumIndex.
 */
export function dymi(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.number(0)
  const spreadPeriod = frame.integer(1)
  const meanPeriod = frame.integer(2)
  const shortest = frame.number(3)
  const longest = frame.number(4)
  const suffixes = frame.scratch(3)
  const first = warmup(out, from, to, max(<i32>longest, spreadPeriod + meanPeriod - 2))
  if (first >= to) return
  const spreadsFrom = first - meanPeriod + 1
  const changesFrom = first - <i32>longest + 1
  const spreads = frame.scratch(0).from(-spreadsFrom)
  const rises = frame.scratch(1).from(1 - changesFrom)
  const sizes = frame.scratch(2).from(1 - changesFrom)
  deviationAlone(x, 0, spreads, spreadsFrom, to, spreadPeriod, suffixes, 1)
  movingMean(spreads, spreadPeriod - 1, out, first, to, meanPeriod, suffixes)
  for (let i = changesFrom; i < to; i += 2) {
    const change = f64x2.sub(x.pair(i), x.pair(i - 1))
    const size = f64x2.abs(change)
    rises.setPair(i, f64x2.mul(f64x2.add(size, change), f64x2.splat(0.5)))
    sizes.setPair(i, size)
  }
  for (let i = first; i < to; i++) {
    const quotient = spreads[i] / out[i]
    const wanted = quotient > 0 ? floor(period / quotient) : longest
    const count = <i32>max(shortest, min(longest, wanted))
    const share = shareBack(rises, sizes, i, count)
    out[i] = 100 * share
  }
}

/**
 * Sum of the last `count` values of `part` up to candle `i`, divided by that of `whole`; one half where the latter is
 * 0. Reads one value more.
 */
function shareBack(part: Column, whole: Column, i: i32, count: i32): f64 {
  let parts = f64x2.splat(0)
  let wholes = parts
  const oldest = i - count + 1
  let k = i - 1
  for (; k > oldest; k -= 2) {
    parts = f64x2.add(parts, part.pair(k))
    wholes = f64x2.add(wholes, whole.pair(k))
  }
  // The first lane of the last pair lies before the window where the number is odd: a mask costs less than a branch.
  const mask = i64x2.replace_lane(i64x2.splat(-1), 0, <i64>(count & 1) - 1)
  parts = f64x2.add(parts, v128.and(part.pair(k), mask))
  wholes = f64x2.add(wholes, v128.and(whole.pair(k), mask))
  const sum = sumOf(wholes)
  return sum !== 0 ? sumOf(parts) / sum : 0.5
}

function sumOf(pair: v128): f64 {
  return f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1)
}
