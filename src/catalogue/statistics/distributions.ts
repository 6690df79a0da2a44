import { choice, factor, indicator, period } from '../define.js'

const estimator = choice('sample', 'population')

export const distributions = {
  zscore: indicator({
    title: 'Z-score',
    description:
      'How many standard deviations the price lies from its mean. Beyond 2 it is unusual for the window. In trends it stays there.',
    related: ['bbands', 'percentb', 'cci'],
    namesElsewhere: { pandasta: 'zscore', ta4j: 'ZScore' },
    inputs: ['close'],
    params: { period: period(30), estimator },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 2,
    memory: 'finite',
  }),
  candlez: indicator({
    title: 'Candle Z-score',
    description:
      'Open, high, low and close as z-scores of their windows. It lets candles of different markets be compared.',
    related: ['zscore', 'heikinashi'],
    namesElsewhere: { pandasta: 'cdl_z' },
    inputs: ['open', 'high', 'low', 'close'],
    params: { period: period(30), estimator },
    outputs: ['open', 'high', 'low', 'close'],
    lookback: p => p.period - 1,
    scratch: 2,
    memory: 'finite',
  }),
  skewness: indicator({
    title: 'Skewness',
    description:
      'Whether large deviations lie above or below the mean. Negative values mean rare large falls. A few candles decide it.',
    related: ['kurtosis', 'jarquebera'],
    namesElsewhere: { pandasta: 'skew' },
    inputs: ['close'],
    params: { period: period(30, 3), estimator },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 4,
    memory: 'finite',
  }),
  kurtosis: indicator({
    title: 'Kurtosis (excess)',
    description:
      'How much weight lies in extremes compared with a normal distribution, which gives 0. High values warn of outliers. Small windows estimate it badly.',
    related: ['skewness', 'jarquebera'],
    namesElsewhere: { talib: 'KURTOSIS (development)', pandasta: 'kurtosis' },
    inputs: ['close'],
    params: { period: period(30, 4), estimator },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 4,
    memory: 'finite',
  }),
  entropy: indicator({
    title: 'Entropy',
    description:
      'How evenly the sum of the window is spread over its values. Even values give the most. It changes little on ordinary prices.',
    related: ['sampleentropy', 'theil'],
    namesElsewhere: { pandasta: 'entropy' },
    inputs: ['close'],
    params: { period: period(10), base: factor(2, 1.01, 1000) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 3,
    memory: 'finite',
  }),
  jarquebera: indicator({
    title: 'Jarque-Bera Statistic',
    description:
      'A test of whether values look normally distributed, from skewness and kurtosis. Above 6 they do not. Nearly no market passes on long windows.',
    related: ['skewness', 'kurtosis'],
    tier: 3,
    inputs: ['close'],
    params: { period: period(20) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 4,
    memory: 'finite',
  }),
  ttest: indicator({
    title: 'One-sample t-statistic',
    description:
      'How far the mean of the window lies from an assumed one, in units of its standard error. Beyond ±2 they differ more than chance explains, if values are independent: returns nearly are, prices are not. Of many tests some pass the limit by chance.',
    related: ['sharperatio', 'zscore'],
    tier: 3,
    inputs: ['close'],
    params: { period: period(30), mu: factor(0, -3e37, 3e37) },
    outputs: ['value'],
    degree: p => (p.mu === 0 ? [0, 0] : 'free'),
    lookback: p => p.period - 1,
    scratch: 2,
    memory: 'finite',
  }),
  theil: indicator({
    title: 'Theil Index',
    description:
      'An index of inequality of the values in the window. On prices it is a measure of dispersion. It is known from incomes.',
    related: ['entropy', 'stddev'],
    tier: 3,
    inputs: ['close'],
    params: { period: period(14) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 1,
    work: p => 8 * p.period,
    memory: 'finite',
  }),
}
