import { average, averageLookback } from '../../average-types/average'
import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { TrailingStop } from '../../parts/shared/trailing-stop'

/**
 * MOST (Moving Stop Loss): a stop `percent` percent from a moving average that only follows the average, and changes to
 * the other side once the average passes it. `ma` is the average, `trend` 1 or −1.
 * Source: Bulbul and KivancOzbilgic, MOST (TradingView).
 */
export function most(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const mean = frame.output(1)
  const trend = frame.output(2)
  const state = frame.state
  const period = frame.integer(0)
  const share = frame.number(1) / 100
  const type = frame.integer(2)
  const stop = changetype<TrailingStop>(state)
  if (from === 0) stop.reset()
  average(type, frame.input(0), 0, mean, from, to, period, state.from(3), frame, 0)
  const start = warmup(value, from, to, averageLookback(type, period))
  warmup(trend, from, to, averageLookback(type, period))
  for (let i = start; i < to; i++) {
    value[i] = stop.step(mean[i], mean[i] * share)
    trend[i] = stop.side
  }
}
