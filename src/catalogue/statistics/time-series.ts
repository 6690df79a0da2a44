import { choice, factor, indicator, integer, period, sparse } from '../define.js'

export const timeSeries = {
  hurst: indicator({
    title: 'Hurst Exponent',
    description:
      'Estimates whether moves persist (above 0.5) or turn back (below). It helps to choose between trend and reversal tools. The estimate of a short window is uncertain by more than the usual effect.',
    related: ['varianceratio', 'frama', 'halflife'],
    namesElsewhere: { skender: 'HURST', lean: 'HurstExponent' },
    inputs: ['close'],
    params: { period: period(100, 20) },
    outputs: ['value', 'corrected'],
    lookback: p => p.period,
    scratch: 2,
    work: p => 1.7 * p.period,
    memory: 'finite',
    scale: { levels: [0.5] },
  }),
  halflife: indicator({
    title: 'Half-life of Mean Reversion',
    description:
      'The number of candles in which half of a deviation from the mean vanishes, from a regression. It helps to size windows of reversal tools. In trends it is undefined.',
    related: ['adf', 'hurst'],
    tier: 3,
    inputs: ['close'],
    params: { period: period(50, 3) },
    outputs: [sparse('value')],
    lookback: p => p.period - 1,
    scratch: 7,
    memory: 'finite',
  }),
  adf: indicator({
    title: 'Augmented Dickey-Fuller Statistic',
    description:
      'The Dickey-Fuller statistic: strongly negative values speak for a price that returns to its mean. Limits depend on the size of the window. It rejects rarely on short ones.',
    related: ['halflife', 'hurst', 'varianceratio'],
    tier: 3,
    inputs: ['close'],
    // Enough values for the regression with the most variables, and for its matrix in the working space.
    params: {
      period: period(50, 20),
      lags: integer(1, 0, 7),
      regression: { ...choice('none', 'constant', 'trend'), default: 'constant' },
    },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 6,
    work: p => 0.8 * p.period * (p.lags + 2) ** 2,
    memory: 'finite',
  }),
  granger: indicator({
    title: 'Granger Causality F-statistic',
    description:
      'The help of past values of one column in forecasts of another; high values mean much help. It is a statement about forecasts, not about causes.',
    related: ['correl', 'distancecorrelation'],
    tier: 3,
    inputs: ['close', 'volume'],
    sources: 2,
    params: { period: period(50, 20), lag: integer(1, 1, 5) },
    outputs: ['value'],
    lookback: p => p.period - 1 + p.lag,
    scratch: 5,
    work: p => 1.6 * p.period * (p.lag + 1) ** 2,
    memory: 'finite',
  }),
  varianceratio: indicator({
    title: 'Variance Ratio (Lo-MacKinnon)',
    description:
      'Compares the variance of long returns with that of short ones: above 1 moves persist, below they reverse. In short windows it is often far from 1 by chance.',
    related: ['hurst', 'adf'],
    tier: 3,
    inputs: ['close'],
    params: { period: period(64, 17), lag: integer(2, 2, 16) },
    outputs: ['value'],
    lookback: p => p.period,
    scratch: 5,
    memory: 'finite',
    scale: { levels: [1] },
  }),
  sampleentropy: indicator({
    title: 'Sample Entropy',
    description:
      'The unpredictability of the sequence: low if similar patterns continue alike. It sorts regular from irregular markets. It needs many values and time to compute.',
    related: ['entropy', 'hurst'],
    tier: 3,
    inputs: ['close'],
    params: { period: period(50, 13), length: integer(2, 1, 10), tolerance: factor(0.2, 0.01, 10) },
    outputs: [sparse('value')],
    lookback: p => p.period - 1,
    scratch: 1,
    work: p => 0.6 * p.period ** 2,
    memory: 'finite',
  }),
}
