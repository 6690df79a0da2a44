import { choice, factor, indicator, period } from '../define.js'
import { exponentialState } from '../exponential-average.js'
import { exponential, wilder } from '../fading.js'

export const efficiency = {
  chop: indicator({
    title: 'Choppiness Index (CHOP)',
    description:
      'Compares the sum of the true ranges with the range of the whole window, from about 0 to 100. High values mean movement without progress, low ones a trend. It says nothing about direction, and changes only after the market has.',
    related: ['adx', 'vhf', 'efficiencyratio'],
    otherNames: ['Choppiness'],
    namesElsewhere: {
      talib: 'CHOP (development)',
      pandasta: 'chop',
      skender: 'CHOP',
      ta4j: 'Chop',
      lean: 'ChoppinessIndex',
      taapi: 'chop',
    },
    inputs: ['high', 'low', 'close'],
    params: { period: period(14) },
    outputs: ['value'],
    lookback: p => p.period,
    scratch: 3,
    memory: 'finite',
    // Dreiss, as TradingView draws them.
    scale: { minimum: 0, levels: [38.2, 61.8] },
  }),
  efficiencyratio: indicator({
    title: 'Efficiency Ratio',
    description:
      'The net change divided by the sum of all changes, from 0 to 1 whatever the direction. Near 1 the market went straight, near 0 back and forth. A short window makes it jump from one extreme to the other.',
    related: ['chop', 'kama', 'vhf'],
    otherNames: ['ER', 'KER', 'Kaufman efficiency ratio'],
    namesElsewhere: { talib: 'ER (development)', pandasta: 'er', lean: 'KaufmanEfficiencyRatio' },
    inputs: ['close'],
    params: { period: period(10) },
    outputs: ['value'],
    lookback: p => p.period,
    scratch: 2,
    memory: 'finite',
    scale: { minimum: 0, maximum: 1, levels: [] },
  }),
  stiffness: indicator({
    title: 'Stiffness',
    description:
      'The share of recent candles that closed above a slightly lowered moving average. High values mean a rise without deep setbacks. It falls only after setbacks have occurred.',
    related: ['psl', 'trendintensity'],
    tier: 2,
    inputs: ['close'],
    params: {
      maPeriod: period(100, 2, 400),
      period: period(60, 1, 400),
      smoothPeriod: period(3, 1, 200),
      factor: factor(0.2, 0, 100),
    },
    outputs: ['value'],
    lookback: p => p.maPeriod + p.period + p.smoothPeriod - 3,
    state: exponentialState,
    scratch: 3,
    memory: { fading: p => [exponential(p.smoothPeriod)] },
    scale: { minimum: 0, maximum: 100, levels: [] },
  }),
  inertia: indicator({
    title: 'Inertia',
    description:
      'The end of a regression line through the Relative Volatility Index, which its author takes as the inertia of a trend: above 50 positive. It is smooth and slow.',
    related: ['rvi', 'linearreg'],
    namesElsewhere: { pandasta: 'inertia' },
    inputs: ['close'],
    params: {
      period: period(20, 2, 300),
      stdDevPeriod: period(14, 2, 300),
      rviPeriod: period(14, 1, 300),
      smoothing: choice('wilder', 'ema'),
    },
    outputs: ['value'],
    lookback: p => Math.max(1, p.stdDevPeriod - 1) + p.rviPeriod + p.period - 2,
    state: p => 2 * exponentialState + p.period - 1,
    scratch: 4,
    memory: { fading: p => [p.smoothing === 'wilder' ? wilder(p.rviPeriod) : exponential(p.rviPeriod)] },
    // Dorsey, Stocks & Commodities (September 1995). The end of a line through values from 0 to 100 may lie beyond them.
    scale: { levels: [50] },
  }),
  rci: indicator({
    title: 'Rank Correlation Index',
    description:
      'The rank correlation of price with time, from −100 to 100. Near 100 the closes of the window rose in order. It counts the order only, so a slow rise and a jump look alike. Equal closes share the mean of their ranks, and it is 0 where all are equal.',
    related: ['spearman', 'cti', 'kdj'],
    tier: 2,
    otherNames: ['Rank correlation', 'Spearman against time'],
    inputs: ['close'],
    params: { period: period(9) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    // The value that leaves the window, and the ranks.
    state: p => 1 + p.period,
    scratch: 1,
    work: p => 1.8 * p.period,
    memory: 'finite',
    // as TradingView draws them.
    scale: { minimum: -100, maximum: 100, levels: [-80, 0, 80] },
  }),
}
