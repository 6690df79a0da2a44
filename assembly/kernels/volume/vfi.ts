import { Frame } from '../../frame'
import { presentAverage, weightOf } from '../../parts/averages/present-average'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { isMove } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { deviation } from '../../parts/windows/deviation'
import { movingMean, movingSum } from '../../parts/windows/sums'

/**
 * Volume Flow Indicator: (U − D) / m, smoothed exponentially, and again for the signal. U is the volume of the candles,
 * among `period`, whose typical price rose by more than a share of its volatility, D that of such falls, and m the mean
 * volume before. A volume counts up to `volumeCoef` mean volumes. No flow where a price is not positive. pandas-ta uses
 * another formula.
 * Source: Katsanos, Volume Flow Indicator Performance, Stocks & Commodities (June 2004); freqtrade technical vfi.
 */
export function vfi(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const value = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const spread = frame.integer(1)
  const smoothing = frame.integer(4)
  const signal = frame.integer(5)
  const start = max(period, spread)
  const tail = period - 1
  const saved = state.from(4)
  const flows = frame.scratch(0).from(tail - from)
  restoreOverlap(flows, from, tail, saved, from === 0)
  const first = max(from, start)
  for (let i = from; i < min(to, first); i++) flows[i] = 0
  const means = frame.scratch(1).from(-from)
  if (first < to) {
    const oldest = first - spread + 1
    const changes = frame.scratch(2).from(-oldest)
    const sizes = frame.scratch(3).from(-first)
    let before = Math.log((high[oldest - 1] + low[oldest - 1] + close[oldest - 1]) / 3)
    for (let i = oldest; i < to; i++) {
      const price = (high[i] + low[i] + close[i]) / 3
      const now = price > 0 ? Math.log(price) : NaN
      changes[i] = abs(now) < Infinity && abs(before) < Infinity ? now - before : NaN
      before = now
    }
    deviation(changes, 1, means, sizes, first, to, spread, frame.scratch(4))
    movingMean(volume.from(-1), 1, means, first, to, period, frame.scratch(4))
    for (let i = first; i < to; i++) {
      const cut = frame.number(2) * sizes[i] * close[i]
      const now = high[i] + low[i] + close[i]
      const move = now - (high[i - 1] + low[i - 1] + close[i - 1])
      const counted = min(volume[i], frame.number(3) * means[i])
      const side: f64 = isMove(move - 3 * cut, now) ? 1 : isMove(-move - 3 * cut, now) ? -1 : 0
      flows[i] = isNaN(cut) ? NaN : side * counted
    }
  }
  saveOverlap(flows, to, tail, saved)
  const flowsFrom = warmup(value, from, to, start + tail)
  movingSum(flows, start, value, flowsFrom, to, period, frame.scratch(4))
  for (let i = flowsFrom; i < to; i++) value[i] = means[i] !== 0 ? value[i] / means[i] : 0
  presentAverage(value, value, from, to, smoothing, weightOf(smoothing), state)
  presentAverage(value, frame.output(1), from, to, signal, weightOf(signal), state.from(2))
}
