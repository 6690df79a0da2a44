import { Frame } from '../../frame'
import { Filter, setBandPass } from '../../parts/averages/recursive-filter'
import { medianPrices } from '../../parts/candles/median-price'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/** Candles over which peaks and valleys are averaged. */
const extremePeriod = 50

/**
 * Empirical Mode Decomposition: the mean over two periods of a band-pass filter of (high + low) / 2, and `fraction` of the
 * means over 50 candles of its last peak and of its last valley.
 * Peaks and valleys are 0 before the first one.
 * Source: Ehlers and Way, Empirical Mode Decomposition, Stocks & Commodities (March 2010).
 */
export function emd(frame: Frame, from: i32, to: i32): void {
  const state = frame.state
  const period = frame.integer(0)
  const filter = Filter.at(state)
  const tail = max(2 * period, extremePeriod) - 1
  const band = frame.scratch(0).from(tail - from)
  const peaks = frame.scratch(1).from(tail - from)
  const valleys = frame.scratch(2).from(tail - from)
  const saved = state.from(Filter.size)
  const isFresh = from === 0
  if (isFresh) setBandPass(filter, period, 2 * frame.number(1))
  restoreOverlap(band, from, tail, saved, isFresh)
  restoreOverlap(peaks, from, tail, saved.from(tail), isFresh)
  restoreOverlap(valleys, from, tail, saved.from(2 * tail), isFresh)
  const prices = frame.output(0)
  medianPrices(frame.input(0), frame.input(1), prices, from, to)
  filter.run(prices, band, from, to, 2, false)
  for (let i = from; i < to; i++) {
    const before = i > 0 ? band[i - 1] : 0
    const second = i > 1 ? band[i - 2] : 0
    const isPeak = i > 1 && before > band[i] && before > second
    const isValley = i > 1 && before < band[i] && before < second
    peaks[i] = isPeak ? before : peaks[i - 1]
    valleys[i] = isValley ? before : valleys[i - 1]
  }
  saveOverlap(band, to, tail, saved)
  saveOverlap(peaks, to, tail, saved.from(tail))
  saveOverlap(valleys, to, tail, saved.from(2 * tail))
  const first = warmup(frame.output(0), from, to, tail)
  warmup(frame.output(1), from, to, tail)
  warmup(frame.output(2), from, to, tail)
  const suffixes = frame.scratch(3)
  movingMean(peaks, 0, frame.output(0), first, to, extremePeriod, suffixes)
  movingMean(band, 0, frame.output(1), first, to, 2 * period, suffixes)
  movingMean(valleys, 0, frame.output(2), first, to, extremePeriod, suffixes)
  for (let i = first; i < to; i++) {
    frame.output(0)[i] *= frame.number(2)
    frame.output(2)[i] *= frame.number(2)
  }
}
