import { Frame } from '../../frame'
import { variableAverage, variablePeriod } from '../../parts/averages/variable-average'
import { warmup } from '../../parts/numbers/warmup'
import { TrailingStop } from '../../parts/shared/trailing-stop'

/**
 * Optimized Trend Tracker: `support` is an average that moves with the momentum of nine candles; a stop follows it at
 * `percent` percent and only changes to the other side once the average passes it; `value` is the stop, moved towards
 * the average by half of `percent`. `trend` is 1 or −1.
 * Values are not shifted (TradingView draws them two candles later). The average starts as the ninth value.
 * Source: Bulbul and KivancOzbilgic, Optimized Trend Tracker (TradingView); VectorTA ott.
 */
export function ott(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const support = frame.output(1)
  const trend = frame.output(2)
  const state = frame.state
  const period = frame.integer(0)
  const percent = frame.number(1)
  const stop = changetype<TrailingStop>(state.from(1))
  if (from === 0) stop.reset()
  const rises = frame.scratch(0)
  const falls = frame.scratch(1)
  variableAverage(frame.input(0), 0, support, from, to, period, state, rises, falls, frame.scratch(2))
  for (let i = max(from, variablePeriod - 1); i < to; i++) {
    const mean = support[i]
    const line = stop.step(mean, (mean * percent) / 100)
    value[i] = (line * (mean > line ? 200 + percent : 200 - percent)) / 200
    trend[i] = stop.side
  }
  for (let k = 0; k < 3; k++) warmup(frame.output(k), from, to, variablePeriod)
}
