import { average, averageLookback } from '../../average-types/average'
import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { exponentialState } from '../../parts/averages/exponential-average'
import { medianPrices } from '../../parts/candles/median-price'
import { warmup } from '../../parts/numbers/warmup'
import { TrailingStop } from '../../parts/shared/trailing-stop'

/**
 * PMax (Profit Maximizer): a stop `multiplier` average true ranges from a moving average of (high + low) / 2 that only
 * follows the average, and changes to the other side once the average passes it. `trend` is 1 or −1, `ma` the average.
 * The average passes the stop (pandas-ta compares the close).
 * Source: KivancOzbilgic, Profit Maximizer (TradingView).
 */
export function pmax(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const trend = frame.output(1)
  const mean = frame.output(2)
  const state = frame.state
  const period = frame.integer(0)
  const multiplier = frame.number(1)
  const type = frame.integer(2)
  const maPeriod = frame.integer(3)
  const before = averageLookback(type, maPeriod)
  const lookback = max(period, before)
  const stop = changetype<TrailingStop>(state.from(exponentialState))
  if (from === 0) stop.reset()
  const oldest = max(0, from - before)
  const prices = frame.scratch(0).from(-oldest)
  const ranges = frame.scratch(1).from(-from)
  medianPrices(frame.input(0), frame.input(1), prices, oldest, to)
  averageTrueRange(frame.input(0), frame.input(1), frame.input(2), ranges, from, to, period, state)
  average(
    type,
    prices,
    0,
    mean,
    from,
    to,
    maPeriod,
    state.from(exponentialState + TrailingStop.size),
    frame,
    2,
  )
  for (let i = max(from, lookback); i < to; i++) {
    value[i] = stop.step(mean[i], multiplier * ranges[i])
    trend[i] = stop.side
  }
  for (let k = 0; k < 3; k++) warmup(frame.output(k), from, to, lookback)
}
