import { Frame } from '../../frame'
import { HoltWinters } from '../../parts/averages/holt-winters'

/**
 * Holt-Winters Moving Average: a smoothed level, its smoothed change and the smoothed change of that, combined to a
 * forecast: level + change + half the second change.
 * Starts as the first value without change.
 * Source: pandas-ta-classic hwma.
 */
export function hwma(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const na = frame.number(0)
  const nb = frame.number(1)
  const nc = frame.number(2)
  const smoothed = changetype<HoltWinters>(frame.state)
  if (from === 0) smoothed.reset(x[0])
  for (let i = from; i < to; i++) out[i] = smoothed.step(x[i], na, nb, nc)
}
