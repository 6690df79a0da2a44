import { Column } from '../frame'

function both(part: Column, whole: Column, i: i32): v128 {
  return f64x2.replace_lane(f64x2.splat(part[i]), 1, whole[i])
}

/**
 * Moving sums of two columns at once, by the blocks of the moving sums: one vector carries both. Writes
 * `parts[i] = Σ part` and `wholes[i] = Σ whole` over the candles i − period + 1 … i for i in [from, to);
 * `from ≥ start + period − 1`. `behind` and `ahead` hold at least 2·period values each; inputs and outputs must not
 * overlap.
 */
function movingSums(
  part: Column,
  whole: Column,
  start: i32,
  parts: Column,
  wholes: Column,
  from: i32,
  to: i32,
  period: i32,
  behind: Column,
  ahead: Column,
): void {
  let block = from - ((from - start) % period)
  let prefix = f64x2.splat(0)
  for (let j = block - 1; j > from - period; j--) {
    prefix = f64x2.add(prefix, both(part, whole, j))
    behind.setPair(2 * (j - block + period), prefix)
  }
  prefix = f64x2.splat(0)
  for (let j = block; j < from; j++) prefix = f64x2.add(prefix, both(part, whole, j))
  let i = from
  while (i < to) {
    const end = block + period
    const stop = min(end, to)
    let suffix = f64x2.splat(0)
    if (i === block && stop === end) {
      // Suffixes and prefixes in one loop: two chains of additions that do not wait for each other.
      for (let j = 0; j < period - 1; j++) {
        prefix = f64x2.add(prefix, both(part, whole, block + j))
        suffix = f64x2.add(suffix, both(part, whole, end - 1 - j))
        const sums = f64x2.add(behind.pair(2 * (j + 1)), prefix)
        v128.store64_lane(changetype<usize>(parts.from(block + j)), sums, 0)
        v128.store64_lane(changetype<usize>(wholes.from(block + j)), sums, 1)
        ahead.setPair(2 * (period - 1 - j), suffix)
      }
      prefix = f64x2.add(prefix, both(part, whole, end - 1))
      parts[end - 1] = f64x2.extract_lane(prefix, 0)
      wholes[end - 1] = f64x2.extract_lane(prefix, 1)
      i = end
    } else {
      for (; i < stop; i++) {
        prefix = f64x2.add(prefix, both(part, whole, i))
        const sums = i + 1 < end ? f64x2.add(behind.pair(2 * (i - block + 1)), prefix) : prefix
        parts[i] = f64x2.extract_lane(sums, 0)
        wholes[i] = f64x2.extract_lane(sums, 1)
      }
      if (i < to) {
        for (let j = period - 1; j > 0; j--) {
          suffix = f64x2.add(suffix, both(part, whole, block + j))
          ahead.setPair(2 * j, suffix)
        }
      }
    }
    block = end
    prefix = f64x2.splat(0)
    const swap = behind
    behind = ahead
    ahead = swap
  }
}

/**
 * Adds `weight·Σ part / Σ whole` over the candles i − period + 1 … i to `out[i]` for i in [from, to), nothing where
 * the whole is 0; `from ≥ start + period − 1`. The four columns at the end are working space: the sums of [from, to),
 * and two that hold at least 2·period values each.
 */
export function addMovingShare(
  part: Column,
  whole: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  weight: f64,
  parts: Column,
  wholes: Column,
  behind: Column,
  ahead: Column,
): void {
  movingSums(part, whole, start, parts, wholes, from, to, period, behind, ahead)
  const weights = f64x2.splat(weight)
  const zero = f64x2.splat(0)
  let i = from
  for (; i + 1 < to; i += 2) {
    const all = wholes.pair(i)
    const share = f64x2.div(f64x2.mul(parts.pair(i), weights), all)
    out.setPair(i, f64x2.add(out.pair(i), v128.and(share, f64x2.ne(all, zero))))
  }
  if (i < to && wholes[i] !== 0) out[i] += (parts[i] * weight) / wholes[i]
}
