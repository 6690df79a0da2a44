import { choice, factor, indicator, label, period, sparse } from './define.js'

/** Numbers of state of a calendar period: `Period.size` of the kernel. */
const periodState = 8

export const structure = {
  fibonacciretracement: indicator({
    title: 'Fibonacci Retracement',
    inputs: ['high', 'low', 'close', 'timestamp'],
    params: {
      period: period(50),
      retracement: factor(0.618, 0, 10),
      trend: choice('auto', 'smart', 'uptrend', 'downtrend'),
    },
    outputs: [
      'value',
      label('trend', { 1: 'uptrend', '-1': 'downtrend' }),
      'startPrice',
      'endPrice',
      'startTimestamp',
      'endTimestamp',
    ],
    lookback: p => p.period - 1,
    scratch: 2,
    memory: 'finite',
    overlay: true,
  }),
  pivotpoints: indicator({
    title: 'Pivot points',
    inputs: ['high', 'low', 'close', 'timestamp'],
    outputs: [
      sparse('r3'),
      sparse('r2'),
      sparse('r1'),
      sparse('p'),
      sparse('s1'),
      sparse('s2'),
      sparse('s3'),
    ],
    // The four candles that weekly levels are made of; days and weeks begin when they begin.
    lookback: 4,
    // The smallest distance of two candles, and a day and a week: `Period` of the kernel.
    state: 1 + 2 * periodState,
    memory: 'whole',
    overlay: true,
  }),
  priorswinghigh: indicator({
    title: 'Prior Swing High',
    inputs: ['high', 'close'],
    params: { period: period(14, 1) },
    outputs: ['valueClose', 'valueHigh'],
    lookback: p => p.period,
    scratch: 1,
    memory: 'finite',
    overlay: true,
  }),
  priorswinglow: indicator({
    title: 'Prior Swing Low',
    inputs: ['low', 'close'],
    params: { period: period(14, 1) },
    outputs: ['valueClose', 'valueLow'],
    lookback: p => p.period,
    scratch: 1,
    memory: 'finite',
    overlay: true,
  }),
}
