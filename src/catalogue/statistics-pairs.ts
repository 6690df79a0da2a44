import { atMost, choice, indicator, integer, period } from './define.js'

/** How two columns, or a column and itself some candles before, vary together. */
export const statisticsPairs = {
  covariance: indicator({
    title: 'Covariance',
    inputs: ['high', 'low'],
    sources: 2,
    params: { period: period(20), estimator: choice('population', 'sample') },
    outputs: ['value'],
    degree: [2, 0],
    lookback: p => p.period - 1,
    scratch: 5,
    memory: 'finite',
  }),
  spearman: indicator({
    title: 'Spearman Rank Correlation',
    inputs: ['high', 'low'],
    sources: 2,
    params: { period: period(20) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    // The candle that leaves the window, and the ranks of both columns.
    state: p => 2 + 2 * p.period,
    scratch: 2,
    work: p => 8 * p.period,
    memory: 'finite',
  }),
  kendall: indicator({
    title: 'Kendall Rank Correlation',
    inputs: ['high', 'low'],
    sources: 2,
    params: { period: period(20) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    // `PairCounts` of the kernel.
    state: 6,
    work: p => 7 * p.period,
    memory: 'finite',
  }),
  acf: indicator({
    title: 'Autocorrelation',
    inputs: ['close'],
    params: { period: period(20), lag: integer(1, 1, 50) },
    relations: [atMost('lag', 'period')],
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 3,
    memory: 'finite',
  }),
  pacf: indicator({
    title: 'Partial Autocorrelation',
    inputs: ['close'],
    params: { period: period(20), lag: integer(1, 1, 50) },
    relations: [atMost('lag', 'period')],
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 5,
    work: p => 0.3 * p.period * p.lag + 3.5 * p.lag ** 2,
    memory: 'finite',
  }),
}
