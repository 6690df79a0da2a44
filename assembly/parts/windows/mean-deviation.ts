import { Column } from '../../frame'

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
      sum0 = f64x2.add(sum0, f64x2.abs(f64x2.sub(x.pair(j), mean0)))
      sum1 = f64x2.add(sum1, f64x2.abs(f64x2.sub(x.pair(j + 2), mean1)))
      sum2 = f64x2.add(sum2, f64x2.abs(f64x2.sub(x.pair(j + 4), mean2)))
      sum3 = f64x2.add(sum3, f64x2.abs(f64x2.sub(x.pair(j + 6), mean3)))
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
  const oldest = from - period + 1
  let equal = 0
  for (let j = oldest; j < to; j++) {
    equal = j > oldest && x[j] === x[j - 1] ? equal + 1 : 1
    if (equal >= period && j >= from) out[j] = 0
  }
}
