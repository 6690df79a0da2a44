import { Frame } from '../../frame'
import { logarithms } from '../../parts/numbers/fast-log'

/**
 * Drawdown: the distance of the value below the highest one since the first candle; `percent` as a fraction of that
 * peak, `log` as the natural logarithm of the peak divided by the value.
 * No fraction where the peak is 0, no logarithm where the value is not positive.
 * Source: pandas-ta-classic drawdown.
 */
export function drawdown(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const value = frame.output(0)
  const percent = frame.output(1)
  const log = frame.output(2)
  let peak = from === 0 ? NaN : frame.state[0]
  for (let i = from; i < to; i++) {
    const now = x[i]
    if (now > peak || isNaN(peak)) peak = now
    value[i] = peak - now
    percent[i] = peak !== 0 ? (peak - now) / peak : NaN
    log[i] = now > 0 ? peak / now : NaN
  }
  frame.state[0] = peak
  const after = log[to]
  for (let i = from; i < to; i += 2) log.setPair(i, logarithms(log.pair(i)))
  log[to] = after
}
