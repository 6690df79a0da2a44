import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { comoments } from '../../parts/windows/comoments'

/**
 * Kyle's Lambda: the slope of the line of least squares over `period` candles of the change of the close on the volume,
 * which is negative where the close fell and 0 where it did not change.
 * No value where all those volumes are equal.
 * Source: Kyle, Continuous Auctions and Insider Trading (1985), with the tick rule.
 */
export function kyleslambda(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const signed = frame.scratch(0).from(-oldest)
  const changes = frame.scratch(1).from(-oldest)
  for (let i = oldest; i < to; i++) {
    const change = close[i] - close[i - 1]
    changes[i] = change
    signed[i] = change > 0 ? volume[i] : change < 0 ? -volume[i] : 0 * change
  }
  const xx = frame.scratch(2).from(-first)
  const yy = frame.scratch(3).from(-first)
  const sums = frame.scratch(4)
  const squares = frame.scratch(5)
  const products = frame.scratch(6)
  comoments(signed, changes, 1, xx, yy, out, first, to, period, sums, squares, products)
  for (let i = first; i < to; i++) out[i] = xx[i] > 0 ? out[i] / xx[i] : NaN
}
