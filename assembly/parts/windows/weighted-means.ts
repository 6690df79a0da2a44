import { Column } from '../../frame'
import { setLanes } from '../numbers/lanes'

/** Largest period for which each window is summed separately. */
const shortPeriod = 6

/**
 * Moving means with the weights 1 … period, the newest value weighing most: `out[i] = Σ (period − k)·x[i − k] /
 * (1 + … + period)` for i in [from, to); `from ≥ start + period − 1`. `suffixes` holds at least 2·period values, twice
 * as many where to − from ≥ 4·period; x and out must not overlap.
 *
 * Blocks and lanes as for the moving sums (sums.ts). Of h = period / 2 values of every second candle a lane has the sum
 * S and the sum W with the weights h, h − 1 … 1. With a lane a and the lane b before it, the weighted sum of a window
 * of 2h values is 2·Wₐ + 2·W_b − S_b, and of 2h + 1 values 2·Wₐ + 2·W_b + Sₐ plus its oldest value. Sums of whole
 * numbers stay whole numbers until they are divided.
 */
export function movingWeightedMean(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  if (from >= to) return
  if (period <= shortPeriod) shortMean(x, out, from, to, period)
  else byBlocks(x, start + period - 1, out, from, to, period, suffixes)
}

function byBlocks(
  x: Column,
  base: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
): void {
  const half = period >> 1
  // Minimum length at which the working space holds the suffixes of two blocks.
  const hasRoom = to - from >= 4 * period
  for (let i = from; i < to; ) {
    const pair = (i - base) >> 1
    const first = base + 2 * (pair - (pair % half))
    sumSuffixes(x.from(first), half, suffixes, max(pair - ((first - base) >> 1) - 1, 0))
    const count = hasRoom && i === first ? (to - first) / (2 * half) : 0
    if (count > 0) {
      const end = i + count * 2 * half
      if (period & 1) WeightedMeans.blocks(x.from(i), out.from(i), count, period, suffixes, true)
      else WeightedMeans.blocks(x.from(i), out.from(i), count, period, suffixes, false)
      i = end
    } else {
      const stop = min(first + 2 * half, to)
      writePart(x, first, out, i, stop, period, suffixes)
      i = stop
    }
  }
}

/** Windows that end at candles [from, to) of the block that begins at candle `first`. */
function writePart(
  x: Column,
  first: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  behind: Column,
): void {
  const half = f64x2.splat(<f64>(period >> 1))
  const scale = f64x2.splat(WeightedMeans.scale(period))
  let prefix = f64x2.splat(0)
  let missing = prefix
  let sums = prefix
  let weighted = prefix
  if (from <= first + 1) {
    // All pairs of the block before.
    sums = f64x2.add(behind.pair(0), x.pair(first - (period & ~1)))
    weighted = f64x2.add(behind.pair(2), sums)
  }
  for (let i = first; i < to; i += 2) {
    missing = f64x2.add(missing, prefix)
    prefix = f64x2.add(prefix, x.pair(i))
    if (i + 3 >= from) {
      const k = 2 * (i - first)
      const lanes = f64x2.add(behind.pair(k), prefix)
      const lanesWeighted = f64x2.add(behind.pair(k + 2), f64x2.sub(f64x2.mul(half, prefix), missing))
      let total = WeightedMeans.joined(sums, weighted, lanes, lanesWeighted, (period & 1) !== 0)
      sums = lanes
      weighted = lanesWeighted
      if (i + 1 >= from) {
        if (period & 1) total = f64x2.add(total, x.pair(i - period + 1))
        setLanes(out, i, f64x2.mul(total, scale), from, to)
      }
    }
  }
}

/**
 * Writes S and W of suffixes of the block before the one that begins with `x`: of the pairs after pair k to element 4k,
 * for k ≥ `first`.
 */
function sumSuffixes(x: Column, half: i32, suffixes: Column, first: i32): void {
  let sum = f64x2.splat(0)
  let weighted = sum
  for (let k = half - 1; k >= first; k--) {
    suffixes.setPair(4 * k, sum)
    suffixes.setPair(4 * k + 2, weighted)
    if (k > first) {
      sum = f64x2.add(sum, x.pair(2 * (k - half)))
      weighted = f64x2.add(weighted, sum)
    }
  }
}

/** Methods, because only they may be inlined where the constants are known. */
class WeightedMeans {
  /** Factor that turns a weighted sum into a mean. */
  @inline
  static scale(period: i32): f64 {
    const size = <f64>period
    return 2 / (size * (size + 1))
  }

  /** The weighted sums of windows from their lanes and the lanes before, without the oldest values of odd windows. */
  @inline
  static joined(sums: v128, weighted: v128, lanes: v128, lanesWeighted: v128, isOdd: bool): v128 {
    const both = f64x2.add(v128.shuffle<f64>(weighted, lanesWeighted, 1, 2), lanesWeighted)
    const twice = f64x2.add(both, both)
    return isOdd ? f64x2.add(twice, lanes) : f64x2.sub(twice, v128.shuffle<f64>(sums, lanes, 1, 2))
  }

  /**
   * Writes the windows of `count` whole blocks, whose first candles `x` and `out` begin with. `suffixes` holds those of
   * the block before, and behind them room for as many: the same loop computes those of each block, which the next one
   * needs.
   */
  @inline
  static blocks(x: Column, out: Column, count: i32, period: i32, suffixes: Column, isOdd: bool): void {
    const bytes = (<usize>(period >> 1)) << 4
    const half = f64x2.splat(<f64>(period >> 1))
    const scale = f64x2.splat(WeightedMeans.scale(period))
    const zero = f64x2.splat(0)
    let oldest = changetype<usize>(x.from(1 - period))
    let newest = changetype<usize>(x)
    let to = changetype<usize>(out)
    let fitting = changetype<usize>(suffixes)
    let written = fitting + 2 * bytes
    let sums = f64x2.add(v128.load(fitting), v128.load(newest - bytes))
    let weighted = f64x2.add(v128.load(fitting, 16), sums)
    for (; count > 0; count--) {
      let prefix = zero
      let missing = zero
      let suffix = zero
      let weightedSuffix = zero
      const end = newest + bytes
      let last = end - 16
      let next = written + 2 * bytes - 32
      written = fitting
      do {
        v128.store(next, suffix)
        v128.store(next, weightedSuffix, 16)
        suffix = f64x2.add(suffix, v128.load(last))
        weightedSuffix = f64x2.add(weightedSuffix, suffix)
        missing = f64x2.add(missing, prefix)
        prefix = f64x2.add(prefix, v128.load(newest))
        const lanes = f64x2.add(v128.load(fitting), prefix)
        const lanesWeighted = f64x2.add(v128.load(fitting, 16), f64x2.sub(f64x2.mul(half, prefix), missing))
        let total = WeightedMeans.joined(sums, weighted, lanes, lanesWeighted, isOdd)
        if (isOdd) {
          total = f64x2.add(total, v128.load(oldest))
          oldest += 16
        }
        v128.store(to, f64x2.mul(total, scale))
        sums = lanes
        weighted = lanesWeighted
        next -= 32
        last -= 16
        newest += 16
        fitting += 32
        to += 16
      } while (newest < end)
      fitting = next + 32
      sums = suffix
      weighted = weightedSuffix
    }
  }

  /** Weighted sums of short windows: the newest value, plus the sum of the two newest, plus that of the three newest, and so on. */
  @inline
  static short(x: Column, out: Column, from: i32, to: i32, period: i32): void {
    const scale = f64x2.splat(WeightedMeans.scale(period))
    const after = out[to]
    // Five values before the newest: at a constant offset from an address, a value needs no instruction to address.
    let eldest = changetype<usize>(x.from(from - 5))
    for (let i = from; i < to; i += 2, eldest += 16) {
      let sum = v128.load(eldest, 40)
      let weighted = sum
      if (period > 1) {
        sum = f64x2.add(sum, v128.load(eldest, 32))
        weighted = f64x2.add(weighted, sum)
      }
      if (period > 2) {
        sum = f64x2.add(sum, v128.load(eldest, 24))
        weighted = f64x2.add(weighted, sum)
      }
      if (period > 3) {
        sum = f64x2.add(sum, v128.load(eldest, 16))
        weighted = f64x2.add(weighted, sum)
      }
      if (period > 4) {
        sum = f64x2.add(sum, v128.load(eldest, 8))
        weighted = f64x2.add(weighted, sum)
      }
      if (period > 5) {
        sum = f64x2.add(sum, v128.load(eldest))
        weighted = f64x2.add(weighted, sum)
      }
      out.setPair(i, period > 1 ? f64x2.mul(weighted, scale) : weighted)
    }
    out[to] = after
  }
}

function shortMean(x: Column, out: Column, from: i32, to: i32, period: i32): void {
  if (period === 1) WeightedMeans.short(x, out, from, to, 1)
  else if (period === 2) WeightedMeans.short(x, out, from, to, 2)
  else if (period === 3) WeightedMeans.short(x, out, from, to, 3)
  else if (period === 4) WeightedMeans.short(x, out, from, to, 4)
  else if (period === 5) WeightedMeans.short(x, out, from, to, 5)
  else WeightedMeans.short(x, out, from, to, 6)
}
