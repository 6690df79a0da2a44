import { indicator, period } from '../define.js'

export const means = {
  geomean: indicator({
    title: 'Geometric Mean',
    description:
      'The geometric mean of the window: the mean growth. It lies below the simple mean. Values must be positive.',
    related: ['harmean', 'sma'],
    tier: 3,
    inputs: ['close'],
    params: { period: period(14) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 2,
    memory: 'finite',
    overlay: true,
  }),
  harmean: indicator({
    title: 'Harmonic Mean',
    description:
      'The harmonic mean of the window, which low values pull down most. It suits ratios. Values must be positive.',
    related: ['geomean', 'sma'],
    tier: 3,
    inputs: ['close'],
    params: { period: period(14) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 2,
    memory: 'finite',
    overlay: true,
  }),
  cma: indicator({
    title: 'Cumulative Mean',
    description:
      'The mean of all values so far. Each new one moves it less. It depends on where the history begins.',
    related: ['sma', 'cumsum'],
    tier: 3,
    inputs: ['close'],
    outputs: ['value'],
    lookback: 0,
    state: 1,
    memory: 'whole',
    overlay: true,
  }),
}
