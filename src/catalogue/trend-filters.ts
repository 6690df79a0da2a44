import { factor, indicator, integer, period } from './define.js'
import { filterState } from './recursive-filter.js'

/** A filter over the values that is shown once its start has mostly died away. */
const smoother = (title: string, length: number) =>
  indicator({
    title,
    inputs: ['close'],
    params: { period: period(length) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    state: filterState,
    memory: 'fading',
    overlay: true,
  })

export const trendFilters = {
  supersmoother: smoother('Super Smoother (2 poles)', 10),
  supersmoother3: smoother('Super Smoother (3 poles)', 14),
  ultimatesmoother: smoother('Ultimate Smoother (Ehlers)', 20),
  butterworth2: smoother('Butterworth Filter (2 poles)', 15),
  butterworth3: smoother('Butterworth Filter (3 poles)', 15),
  gaussianfilter: indicator({
    title: 'Gaussian Filter (Ehlers)',
    inputs: ['close'],
    params: { period: period(14), poles: integer(4, 1, 4) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    state: 5,
    memory: 'fading',
    overlay: true,
  }),
  decycler: indicator({
    title: 'Decycler (Ehlers)',
    inputs: ['close'],
    params: { hpPeriod: period(125) },
    outputs: ['value'],
    lookback: p => p.hpPeriod - 1,
    state: filterState,
    memory: 'fading',
    overlay: true,
  }),
}

export const cycleFilters = {
  highpass: indicator({
    title: 'High-pass Filter (1 pole)',
    inputs: ['close'],
    params: { period: period(48, 5) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    state: filterState,
    memory: 'fading',
  }),
  highpass2: indicator({
    title: 'High-pass Filter (2 poles)',
    inputs: ['close'],
    params: { period: period(48, 5), k: factor(0.707, 0.1, 1) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    state: filterState,
    memory: 'fading',
  }),
  bandpass: indicator({
    title: 'Band-pass Filter (Ehlers)',
    inputs: ['close'],
    params: { period: period(20, 5), bandwidth: factor(0.3, 0.05, 0.7) },
    outputs: ['value', 'normalized', 'signal', 'trigger'],
    lookback: p => p.period - 1,
    state: 3 * filterState + 1,
    memory: 'fading',
  }),
  decycleroscillator: indicator({
    title: 'Decycler Oscillator (Ehlers)',
    inputs: ['close'],
    params: { hpPeriod: period(125, 10), k: factor(1, 0, 1000) },
    outputs: ['value'],
    lookback: p => p.hpPeriod - 1,
    state: 2 * filterState,
    memory: 'fading',
  }),
  roofing: indicator({
    title: 'Roofing Filter (Ehlers)',
    inputs: ['close'],
    params: { hpPeriod: period(48, 5), lpPeriod: period(10) },
    outputs: ['value'],
    lookback: p => p.hpPeriod - 1,
    state: 2 * filterState,
    memory: 'fading',
  }),
  reflex: indicator({
    title: 'Reflex (Ehlers)',
    inputs: ['close'],
    params: { period: period(20, 3) },
    outputs: ['value'],
    lookback: p => p.period,
    state: p => filterState + 1 + p.period,
    scratch: 3,
    memory: 'fading',
  }),
  trendflex: indicator({
    title: 'Trendflex (Ehlers)',
    inputs: ['close'],
    params: { period: period(20, 3) },
    outputs: ['value'],
    lookback: p => p.period,
    state: p => filterState + 1 + p.period,
    scratch: 3,
    memory: 'fading',
  }),
}
