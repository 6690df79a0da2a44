import { Frame } from '../../frame'
import { movingSum } from '../../parts/sums'
import { warmup } from '../../parts/warmup'

/**
 * Volume Weighted Moving Average: the sum of price times volume over `period` candles, divided by their volume.
 * No value where nothing was traded.
 * Source: Tulip Indicators vwma.
 */
export function vwma(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const turnovers = frame.scratch(0).from(-oldest)
  const volumes = frame.scratch(1).from(-first)
  const suffixes = frame.scratch(2)
  for (let i = oldest; i < to; i += 2) turnovers.setPair(i, f64x2.mul(close.pair(i), volume.pair(i)))
  movingSum(turnovers, 0, out, first, to, period, suffixes)
  movingSum(volume, 0, volumes, first, to, period, suffixes)
  const after = out[to]
  for (let i = first; i < to; i += 2) out.setPair(i, f64x2.div(out.pair(i), volumes.pair(i)))
  out[to] = after
}
