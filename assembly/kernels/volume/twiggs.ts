import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { quotients } from '../../parts/numbers/quotient'
import { warmup } from '../../parts/numbers/warmup'
import { flow } from '../../parts/shared/money-flow'

/**
 * Twiggs Money Flow: the money flow divided by the volume, both smoothed as Wilder does. The range of each candle is
 * extended to the previous close. A candle without a range has no flow; 0 where nothing was traded. Some ports smooth
 * exponentially.
 * Source: Twiggs, Twiggs Money Flow (incrediblecharts.com).
 */
export function twiggs(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const volume = frame.input(3)
  const out = frame.output(0)
  const period = frame.integer(0)
  const flows = frame.scratch(0).from(-from)
  const volumes = frame.scratch(1).from(-from)
  for (let i = max(from, 1); i < to; i += 2) {
    const before = close.pair(i - 1)
    const top = f64x2.pmax(frame.input(0).pair(i), before)
    const bottom = f64x2.pmin(frame.input(1).pair(i), before)
    flows.setPair(i, flow(top, bottom, close.pair(i), volume.pair(i)))
  }
  const weight = 1 / <f64>period
  exponentialAverage(flows, 1, out, from, to, period, weight, frame.state)
  exponentialAverage(volume, 1, volumes, from, to, period, weight, frame.state.from(exponentialState))
  const after = out[to]
  for (let i = warmup(out, from, to, period); i < to; i += 2)
    out.setPair(i, quotients(out.pair(i), volumes.pair(i), 0))
  out[to] = after
}
