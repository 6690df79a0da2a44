import { choice, factor, indicator, integer, period } from './define.js'
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
  itrend: indicator({
    title: 'Instantaneous Trendline (Ehlers)',
    inputs: ['high', 'low'],
    params: { alpha: factor(0.07, 0.01, 0.99) },
    outputs: ['value', 'trigger'],
    lookback: 6,
    state: filterState + 2,
    scratch: 1,
    memory: 'fading',
    overlay: true,
  }),
  laguerrefilter: indicator({
    title: 'Laguerre Filter (Ehlers)',
    inputs: ['high', 'low'],
    params: { gamma: factor(0.8, 0, 0.99) },
    outputs: ['value'],
    lookback: 3,
    state: 4,
    memory: 'fading',
    overlay: true,
  }),
  adaptivelaguerre: indicator({
    title: 'Adaptive Laguerre Filter (Ehlers)',
    inputs: ['high', 'low'],
    params: { period: period(20), medianPeriod: period(5, 1, 50) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    state: p => 5 + p.period + p.medianPeriod,
    scratch: 1,
    memory: 'whole',
    overlay: true,
  }),
  swissarmyknife: indicator({
    title: 'Swiss Army Knife (Ehlers)',
    inputs: ['close'],
    params: {
      type: choice('gauss', 'butter', 'hp', '2php', 'bp'),
      period: period(20, 5),
      delta: factor(0.1, 0.01, 0.3),
    },
    outputs: ['value'],
    lookback: p => p.period - 1,
    state: filterState + 1,
    memory: 'fading',
    overlay: true,
  }),
}
