import { choice, factor, indicator, label, period } from './define.js'

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
      label('trend', { 1: 'UPTREND', '-1': 'DOWNTREND' }),
      'startPrice',
      'endPrice',
      'startTimestamp',
      'endTimestamp',
    ],
    degree: { startTimestamp: [0, 0], endTimestamp: [0, 0] },
    lookback: p => p.period - 1,
    scratch: 2,
    memory: 'finite',
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
