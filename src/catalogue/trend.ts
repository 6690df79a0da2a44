import { indicator, period } from './define.js'

export const trend = {
  sma: indicator({
    title: 'Simple Moving Average',
    inputs: ['close'],
    params: { period: period(30) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 1,
    memory: 'finite',
    overlay: true,
  }),
  ema: indicator({
    title: 'Exponential Moving Average (EMA)',
    inputs: ['close'],
    params: { period: period(30) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    state: 1,
    memory: 'fading',
    overlay: true,
  }),
}
