import { factor, indicator, type Numbers, period, startingAfter } from './define.js'

/** Volume on the side of the buyers and of the sellers, and prices weighted by volume. */
export const volumeOscillators = {
  mvwap: indicator({
    title: 'Moving VWAP',
    inputs: ['high', 'low', 'close', 'volume'],
    params: { vwapPeriod: period(14, 1), period: period(8, 1) },
    outputs: ['value'],
    lookback: p => p.vwapPeriod + p.period - 2,
    scratch: 4,
    memory: 'finite',
    overlay: true,
  }),
  fve: indicator({
    title: 'Finite Volume Element',
    inputs: ['high', 'low', 'close', 'volume'],
    params: { period: period(22, 1), factor: factor(0.3, 0, 100) },
    outputs: ['value'],
    lookback: p => p.period,
    scratch: 3,
    memory: 'finite',
  }),
  tsv: indicator({
    title: 'Time Segmented Volume',
    inputs: ['close', 'volume'],
    params: { period: period(13, 1), signalPeriod: period(7, 1) },
    outputs: [startingAfter((p: Numbers<'period'>) => p.period, 'value'), 'signal'],
    lookback: p => p.period + p.signalPeriod - 1,
    scratch: 3,
    memory: 'finite',
  }),
  vzo: indicator({
    title: 'Volume Zone Oscillator',
    inputs: ['close', 'volume'],
    params: { period: period(14, 1) },
    outputs: ['value'],
    lookback: p => p.period,
    state: 2,
    scratch: 2,
    memory: 'fading',
  }),
  vwad: indicator({
    title: 'Volume Weighted Accumulation/Distribution',
    inputs: ['high', 'low', 'close', 'volume'],
    params: { period: period(20, 1) },
    outputs: [startingAfter(() => 0, 'value')],
    lookback: p => p.period - 1,
    state: 1,
    scratch: 1,
    memory: 'whole',
  }),
}
