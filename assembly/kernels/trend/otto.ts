import { Column, Frame } from '../../frame'
import { averageBy, netShares, variableAverage, variablePeriod } from '../../parts/averages/variable-average'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { TrailingStop } from '../../parts/shared/trailing-stop'

/** Number of candles by which the tracker lags. */
const delay: i32 = 2
/** Indexes in the state: three averages, the average of their ratio, the stop, the delayed values, the last ratios. */
const stopAt: i32 = 4
const delayedAt: i32 = stopAt + 3
const ratiosAt: i32 = delayedAt + delay

/**
 * Optimized Trend Tracker Oscillator: `lott` is a / (b − c + `correction`), where a is an average of half the slow
 * period, b the slow average, and c an average whose period is `fastPeriod` times as long as that of b; `hott` is the
 * Optimized Trend Tracker of `lott`. The averages move with the momentum of nine candles, as those of `ott`.
 * `correction` is in the unit of the prices, so the lines depend on it; with `unit` percent it is in per cent of the
 * price. `hott` is the tracker of two candles before, as the script draws it; VectorTA does not shift it.
 * Source: KivancOzbilgic, OTTO (TradingView); VectorTA otto.
 */
export function otto(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const hott = frame.output(0)
  const lott = frame.output(1)
  const state = frame.state
  const fast = frame.integer(2)
  const slow = frame.integer(3)
  const correction = frame.number(4)
  const isPercent = frame.integer(5) === 1
  const suffixes = frame.scratch(2)
  const rises = frame.scratch(0)
  const falls = frame.scratch(1)
  const first = max(from, variablePeriod)
  const shares = rises.from(variablePeriod - 1 - first)
  const ratios = frame.scratch(3).from(variablePeriod - from)
  const slower = frame.scratch(4).from(-from)
  const slowest = frame.scratch(5).from(-from)
  netShares(x, 0, shares, first, to, rises, falls, suffixes)
  averageBy(shares, x, 0, ratios, from, to, slow >> 1, state)
  averageBy(shares, x, 0, slower, from, to, slow, state.from(1))
  averageBy(shares, x, 0, slowest, from, to, slow * fast, state.from(2))
  const saved = state.from(ratiosAt)
  restoreOverlap(ratios, from, variablePeriod, saved, from === 0)
  for (let i = from; i < min(to, first); i++) ratios[i] = 0
  for (let i = first; i < to; i++) {
    const divisor = slower[i] - slowest[i] + (isPercent ? (correction * x[i]) / 100 : correction)
    const ratio = divisor !== 0 ? ratios[i] / divisor : NaN
    lott[i] = ratio
    // An undefined ratio repeats its predecessor in the averages that follow.
    ratios[i] = divisor !== 0 ? ratio : ratios[i - 1]
  }
  saveOverlap(ratios, to, variablePeriod, saved)
  const means = slower
  variableAverage(
    ratios,
    variablePeriod,
    means,
    from,
    to,
    frame.integer(0),
    state.from(3),
    rises,
    falls,
    suffixes,
  )
  track(frame, means, from, to)
  const lookback = 2 * variablePeriod + delay
  warmup(hott, from, to, lookback)
  warmup(lott, from, to, lookback)
}

/** Writes the tracker of an average `delay` candles later. */
function track(frame: Frame, means: Column, from: i32, to: i32): void {
  const hott = frame.output(0)
  const percent = frame.number(1)
  const state = frame.state
  const stop = changetype<TrailingStop>(state.from(stopAt))
  const saved = state.from(delayedAt)
  const values = frame.scratch(5).from(delay - from)
  if (from === 0) stop.reset()
  restoreOverlap(values, from, delay, saved, from === 0)
  for (let i = from; i < to; i++) {
    values[i] = 0
    if (i < 2 * variablePeriod - 1) continue
    const mean = means[i]
    const line = stop.step(mean, (mean * percent) / 100)
    values[i] = (line * (mean > line ? 200 + percent : 200 - percent)) / 200
  }
  saveOverlap(values, to, delay, saved)
  for (let i = from; i < to; i++) hott[i] = values[i - delay]
}
