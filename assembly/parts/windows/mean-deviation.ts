import { Column } from '../../frame'

const mask = memory.data<u64>([0x7fffffffffffffff])

/**
 * Mean absolute distances of the last `period` values of `x` from their mean, exactly 0 where the values are all equal.
 * Writes `out[i]` for i in [from, to) and reads x from `from − period + 1` on. `mean` holds the means of the same
 * windows and may be the same column as `out`; x and out must not overlap.
 *
 * The mean moves with the window, so each window is summed separately, eight windows at a time.
 */
export function meanDeviation(x: Column, mean: Column, out: Column, from: i32, to: i32, period: i32): void {
  const share = 1 / <f64>period
  const shares = f64x2.splat(share)
  // In a register, while `f64x2.abs` loads its mask from memory each time.
  const withoutSign = v128.load64_splat(mask)
  let i = from
  for (; i + 7 < to; i += 8) {
    const mean0 = mean.pair(i)
    const mean1 = mean.pair(i + 2)
    const mean2 = mean.pair(i + 4)
    const mean3 = mean.pair(i + 6)
    let sum0 = f64x2.splat(0)
    let sum1 = f64x2.splat(0)
    let sum2 = f64x2.splat(0)
    let sum3 = f64x2.splat(0)
    for (let j = i - period + 1; j <= i; j++) {
      sum0 = f64x2.add(sum0, v128.and(f64x2.sub(x.pair(j), mean0), withoutSign))
      sum1 = f64x2.add(sum1, v128.and(f64x2.sub(x.pair(j + 2), mean1), withoutSign))
      sum2 = f64x2.add(sum2, v128.and(f64x2.sub(x.pair(j + 4), mean2), withoutSign))
      sum3 = f64x2.add(sum3, v128.and(f64x2.sub(x.pair(j + 6), mean3), withoutSign))
    }
    out.setPair(i, f64x2.mul(sum0, shares))
    out.setPair(i + 2, f64x2.mul(sum1, shares))
    out.setPair(i + 4, f64x2.mul(sum2, shares))
    out.setPair(i + 6, f64x2.mul(sum3, shares))
  }
  for (; i < to; i++) {
    const centre = mean[i]
    let sum: f64 = 0
    for (let j = i - period + 1; j <= i; j++) sum += Math.abs(x[j] - centre)
    out[i] = sum * share
  }

  // The mean of equal values may differ from them in its last digit.
  let equal = 1
  for (let j = from - period + 2; j < to; j += 2) {
    if (v128.any_true(f64x2.eq(x.pair(j), x.pair(j - 1)))) {
      for (let k = j, end = min(j + 2, to); k < end; k++) {
        equal = x[k] === x[k - 1] ? equal + 1 : 1
        if (equal >= period && k >= from) out[k] = 0
      }
    } else equal = 1
  }
}
