import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/averages/exponential-average'

/**
 * Elder Ray: the high (`bullPower`) and the low (`bearPower`) minus the exponential average of the close.
 * Source: Elder, Trading for a Living (1993); Skender.Stock.Indicators ElderRay.
 */
export function elderray(frame: Frame, from: i32, to: i32): void {
  const bulls = frame.output(0)
  const bears = frame.output(1)
  const period = frame.integer(0)
  exponentialAverage(frame.input(2), 0, bears, from, to, period, 2 / <f64>(period + 1), frame.state)
  const afterBulls = bulls[to]
  const afterBears = bears[to]
  for (let i = from; i < to; i += 2) {
    const mean = bears.pair(i)
    bulls.setPair(i, f64x2.sub(frame.input(0).pair(i), mean))
    bears.setPair(i, f64x2.sub(frame.input(1).pair(i), mean))
  }
  bulls[to] = afterBulls
  bears[to] = afterBears
}
