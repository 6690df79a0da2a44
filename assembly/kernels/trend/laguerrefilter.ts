import { Frame } from '../../frame'
import { LaguerreStages } from '../../parts/averages/laguerre'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Laguerre Filter: the mean of four stages of a Laguerre filter over (high + low) / 2 with the weights 1, 2, 2, 1.
 * All stages start as the first price.
 * Source: Ehlers, Cybernetic Analysis for Stocks and Futures (2004), chapter 14.
 */
export function laguerrefilter(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const stages = changetype<LaguerreStages>(frame.state)
  if (from === 0) stages.reset((high[0] + low[0]) / 2)
  for (let i = from; i < to; i++) out[i] = stages.step((high[i] + low[i]) / 2, frame.number(0))
  warmup(out, from, to, 3)
}
