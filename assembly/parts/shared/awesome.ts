import { Column } from '../../frame'
import { medianPrices } from '../candles/median-price'
import { meanDifference } from '../windows/mean-difference'

/**
 * Awesome oscillator: the mean midpoint of `fast` candles minus that of `slow` candles, for [from, to);
 * `from ≥ max(fast, slow) − 1`. `middles` and `suffixes` are scratch columns.
 */
export function awesomeOscillator(
  high: Column,
  low: Column,
  out: Column,
  from: i32,
  to: i32,
  fast: i32,
  slow: i32,
  middles: Column,
  suffixes: Column,
): void {
  if (from >= to) return
  const oldest = from - max(fast, slow) + 1
  const middle = middles.from(-oldest)
  medianPrices(high, low, middle, oldest, to)
  meanDifference(middle, 0, out, from, to, fast, slow, suffixes)
}
