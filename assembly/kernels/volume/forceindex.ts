import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/averages/exponential-average'

/**
 * Force Index: the exponential average of the change of the close times the volume.
 * Source: Elder, Trading for a Living (1993); Skender.Stock.Indicators ForceIndex.
 */
export function forceindex(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const period = frame.integer(0)
  const forces = frame.scratch(0).from(-from)
  for (let i = max(from, 1); i < to; i += 2)
    forces.setPair(i, f64x2.mul(volume.pair(i), f64x2.sub(close.pair(i), close.pair(i - 1))))
  exponentialAverage(forces, 1, frame.output(0), from, to, period, 2 / <f64>(period + 1), frame.state)
}
