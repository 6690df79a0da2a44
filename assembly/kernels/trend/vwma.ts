import { Frame } from '../../frame'
import { copy } from '../../parts/numbers/copy'
import { warmup } from '../../parts/numbers/warmup'
import { quotient, sumQuotients } from '../../parts/windows/sum-quotients'

/**
 * Volume Weighted Moving Average: the sum of price times volume over `period` candles, divided by their volume.
 * No value where nothing was traded; with a period of 1, the price.
 * Source: Tulip Indicators vwma.
 */
export function vwma(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  if (period === 1) {
    copy(close, out, first, to)
    return
  }
  const oldest = first - period + 1
  const turnovers = frame.scratch(0).from(-oldest)
  const volumes = frame.scratch(1).from(-first)
  for (let i = oldest; i < to; i += 2) turnovers.setPair(i, f64x2.mul(close.pair(i), volume.pair(i)))
  sumQuotients(turnovers, volume, 0, out, first, to, period, 1, quotient, out, volumes, frame.scratch(2))
}
