import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingWeightedMean } from '../../parts/windows/weighted-means'

/**
 * Hull Moving Average: the weighted mean, over √period candles, of twice the weighted mean of half the period minus
 * that of the whole period.
 * Half and root are rounded down (others round to the nearest).
 * Source: Hull 2005; Tulip Indicators hma.
 */
export function hma(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const root = <i32>sqrt(<f64>period)
  const suffixes = frame.scratch(2)
  const first = warmup(out, from, to, period + root - 2)
  if (first >= to) return
  const oldest = first - root + 1
  const slow = frame.scratch(0).from(-oldest)
  const fast = frame.scratch(1).from(-oldest)
  movingWeightedMean(x, 0, slow, oldest, to, period, suffixes)
  movingWeightedMean(x, 0, fast, oldest, to, period >> 1, suffixes)
  for (let i = oldest; i < to; i += 2) {
    const ahead = fast.pair(i)
    fast.setPair(i, f64x2.sub(f64x2.add(ahead, ahead), slow.pair(i)))
  }
  movingWeightedMean(fast, period - 1, out, first, to, root, suffixes)
}
