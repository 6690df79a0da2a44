import {
  atMost,
  factor,
  flag,
  indicator,
  integer,
  period,
  priceUnit,
  sparse,
  startingAfter,
} from './define.js'

type Sampled = Readonly<Record<'period' | 'samplePeriod', number>>

/** Averages that move with volume or momentum. */
export const trendTrackers = {
  otto: indicator({
    title: 'OTTO (Optimized Trend Tracker Oscillator)',
    inputs: ['close'],
    params: {
      ottPeriod: period(2, 1),
      ottPercent: factor(0.6, 0, 100),
      fastPeriod: period(10, 1),
      slowPeriod: period(25, 2),
      correction: factor(100_000, 1e-6, 1e12),
      unit: priceUnit(),
    },
    relations: [atMost('fastPeriod', 'slowPeriod')],
    outputs: ['hott', 'lott'],
    degree: p => (p.unit === 'price' ? 'free' : [0, 0]),
    lookback: 20,
    // Four averages, the stop, the delayed values and the ratios that the kernel reads again.
    state: 18,
    scratch: 6,
    memory: 'fading',
  }),
  volumeadjustedma: indicator({
    title: 'Volume Adjusted Moving Average (Arms)',
    inputs: ['close', 'volume'],
    params: {
      period: period(13, 1, 99),
      factor: factor(0.67, 0.01, 100),
      samplePeriod: integer(0, 0, 500),
      strict: flag(true),
    },
    outputs: [startingAfter((p: Sampled) => Math.max(p.period, p.samplePeriod) - 1, sparse('value'))],
    lookback: p => Math.max((p.strict ? 10 : 1) * p.period, p.samplePeriod - 1),
    state: 1,
    scratch: 2,
    memory: 'whole',
    overlay: true,
  }),
}
