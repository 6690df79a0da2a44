import { Column } from '../../frame'
import { movingSum, shortPeriod } from './sums'

/**
 * Results of two sums: their quotient; their quotient, or 0 if the divisor is 0; the latter added to the column of results.
 */
export const quotient: i32 = 0
export const share: i32 = 1
export const addedShare: i32 = 2

/**
 * Writes Σ x / Σ y · `scale` over x and y[i − period + 1 … i], or what `what` names, for i in [from, to);
 * `from ≥ start + period − 1`. The sums are those of `movingSum`, to the same bits. Over whole blocks one loop sums and
 * divides: a processor divides while it adds, and no sum is written. The scratch columns `parts` (which may be `out`
 * where nothing is added) and `wholes` hold the sums of the other candles, `suffixes` at least 4·period values.
 */
export function sumQuotients(
  x: Column,
  y: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  scale: f64,
  what: i32,
  parts: Column,
  wholes: Column,
  suffixes: Column,
): void {
  const half = period >> 1
  const base = start + period - 1
  let begin = to
  let end = to
  if (period > shortPeriod) {
    const first = base + 2 * half * ((from - base + 2 * half - 1) / (2 * half))
    const count = (to - first) / (2 * half)
    if (count > 0) {
      begin = first
      end = first + count * 2 * half
      blockQuotients(x, y, out, first, count, period, scale, what, suffixes)
    }
  }
  divideSums(x, y, start, out, from, begin, period, scale, what, parts, wholes, suffixes)
  divideSums(x, y, start, out, end, to, period, scale, what, parts, wholes, suffixes)
}

/** The same by a loop for each sum and one that divides. */
function divideSums(
  x: Column,
  y: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  scale: f64,
  what: i32,
  parts: Column,
  wholes: Column,
  suffixes: Column,
): void {
  if (from >= to) return
  const after = out[to]
  movingSum(x, start, parts, from, to, period, suffixes)
  movingSum(y, start, wholes, from, to, period, suffixes)
  const scales = f64x2.splat(scale)
  if (what === quotient) {
    for (let i = from; i < to; i += 2) Quotients.set(out, i, parts, wholes, scales, quotient)
  } else if (what === share) {
    for (let i = from; i < to; i += 2) Quotients.set(out, i, parts, wholes, scales, share)
  } else {
    for (let i = from; i < to; i += 2) Quotients.set(out, i, parts, wholes, scales, addedShare)
  }
  out[to] = after
}

function blockQuotients(
  x: Column,
  y: Column,
  out: Column,
  first: i32,
  count: i32,
  period: i32,
  scale: f64,
  what: i32,
  suffixes: Column,
): void {
  const half = period >> 1
  sumSuffixes(x.from(first - 2 * half), y.from(first - 2 * half), half, suffixes)
  const a = x.from(first)
  const b = y.from(first)
  const to = out.from(first)
  const isOdd = (period & 1) !== 0
  if (what === quotient) {
    if (isOdd) Quotients.blocks(a, b, to, count, period, scale, quotient, suffixes, true)
    else Quotients.blocks(a, b, to, count, period, scale, quotient, suffixes, false)
  } else if (what === share) {
    if (isOdd) Quotients.blocks(a, b, to, count, period, scale, share, suffixes, true)
    else Quotients.blocks(a, b, to, count, period, scale, share, suffixes, false)
  } else if (isOdd) Quotients.blocks(a, b, to, count, period, scale, addedShare, suffixes, true)
  else Quotients.blocks(a, b, to, count, period, scale, addedShare, suffixes, false)
}

/** Writes the suffix sums of a block of both columns, alternating: the sums of the pairs after each pair. */
function sumSuffixes(x: Column, y: Column, half: i32, suffixes: Column): void {
  let part = f64x2.splat(0)
  let whole = part
  for (let k = half - 1; k >= 0; k--) {
    suffixes.setPair(4 * k, part)
    suffixes.setPair(4 * k + 2, whole)
    part = f64x2.add(part, x.pair(2 * k))
    whole = f64x2.add(whole, y.pair(2 * k))
  }
}

/** Methods, because only they may be inlined where the constants are known. */
class Quotients {
  /** Writes the results of two sums. */
  @inline
  static of(part: v128, whole: v128, scales: v128, what: i32, before: v128): v128 {
    if (what === quotient) return f64x2.mul(f64x2.div(part, whole), scales)
    const zero = f64x2.splat(0)
    const value = v128.and(f64x2.mul(f64x2.div(part, whole), scales), f64x2.ne(whole, zero))
    return what === addedShare ? f64x2.add(before, value) : value
  }

  @inline
  static set(out: Column, i: i32, parts: Column, wholes: Column, scales: v128, what: i32): void {
    const before = what === addedShare ? out.pair(i) : scales
    out.setPair(i, Quotients.of(parts.pair(i), wholes.pair(i), scales, what, before))
  }

  /**
   * Writes the quotients of `count` whole blocks, whose first candles `x`, `y` and `out` begin with. `suffixes` holds those of
   * the block before, and, behind them, room for as many. The loop is that of `Blocks.sum` (sums.ts), over two columns: `other`
   * leads from a value of x to that of y, and `before` begins with all pairs of the block before.
   */
  @inline
  static blocks(
    x: Column,
    y: Column,
    out: Column,
    count: i32,
    period: i32,
    scale: f64,
    what: i32,
    suffixes: Column,
    isOdd: bool,
  ): void {
    const bytes = (<usize>(period >> 1)) << 4
    const scales = f64x2.splat(scale)
    const other = changetype<usize>(y) - changetype<usize>(x)
    let oldest = changetype<usize>(x.from(1 - period))
    let newest = changetype<usize>(x)
    let to = changetype<usize>(out)
    let fitting = changetype<usize>(suffixes)
    let written = fitting + 2 * bytes
    let before = f64x2.add(v128.load(fitting), v128.load(newest - bytes))
    let beforeY = f64x2.add(v128.load(fitting, 16), v128.load(newest + other - bytes))
    for (; count > 0; count--) {
      let prefix = f64x2.splat(0)
      let prefixY = prefix
      let suffix = prefix
      let suffixY = prefix
      let last = newest + bytes - 16
      let next = written + 2 * bytes - 32
      const end = to + bytes
      written = fitting
      do {
        v128.store(next, suffix)
        v128.store(next, suffixY, 16)
        suffix = f64x2.add(suffix, v128.load(last))
        suffixY = f64x2.add(suffixY, v128.load(last + other))
        prefix = f64x2.add(prefix, v128.load(newest))
        prefixY = f64x2.add(prefixY, v128.load(newest + other))
        const lanes = f64x2.add(v128.load(fitting), prefix)
        const lanesY = f64x2.add(v128.load(fitting, 16), prefixY)
        let part = f64x2.add(v128.shuffle<f64>(before, lanes, 1, 2), lanes)
        let whole = f64x2.add(v128.shuffle<f64>(beforeY, lanesY, 1, 2), lanesY)
        before = lanes
        beforeY = lanesY
        if (isOdd) {
          part = f64x2.add(part, v128.load(oldest))
          whole = f64x2.add(whole, v128.load(oldest + other))
          oldest += 16
        }
        v128.store(to, Quotients.of(part, whole, scales, what, what === addedShare ? v128.load(to) : scales))
        next -= 32
        last -= 16
        newest += 16
        fitting += 32
        to += 16
      } while (to < end)
      fitting = next + 32
      before = suffix
      beforeY = suffixY
    }
  }
}
