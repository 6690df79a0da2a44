import { factor, flag, indicator, integer, period, sparse, startingAfter } from '../define.js'

type Sampled = Readonly<Record<'period' | 'samplePeriod', number>>

export const volumeAverages = {
  vwma: indicator({
    title: 'Volume Weighted Moving Average',
    description:
      'A mean of prices weighted by volume. Where it is above the simple mean, heavier trading took place at higher prices. Without reliable volume it means nothing.',
    related: ['vwap', 'sma', 'evwma'],
    namesElsewhere: {
      talib: 'VWMA (development)',
      tulip: 'vwma',
      pandasta: 'vwma',
      skender: 'VWMA',
      ta4j: 'VWMA',
      lean: 'VolumeWeightedMovingAverage',
      taapi: 'vwma',
    },
    inputs: ['close', 'volume'],
    params: { period: period(20, 1) },
    outputs: ['vwma'],
    lookback: p => p.period - 1,
    scratch: 3,
    memory: 'finite',
    overlay: true,
  }),
  volumeadjustedma: indicator({
    title: 'Volume Adjusted Moving Average (Arms)',
    description:
      'An average over a given amount of volume rather than of candles, after Arms. Busy candles count for several. In quiet hours it reaches far back.',
    related: ['vwma', 'evwma'],
    tier: 2,
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
    drawing: [{ kind: 'line', outputs: ['value'], colour: 1 }],
  }),
}
