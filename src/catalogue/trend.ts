import { factor, indicator, label, period } from './define.js'

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
  psar: indicator({
    title: 'Parabolic SAR',
    inputs: ['high', 'low'],
    params: { start: factor(0.02, 0, 1), increment: factor(0.02, 0, 1), maximum: factor(0.2, 0, 1) },
    outputs: ['value'],
    lookback: 1,
    state: 4,
    memory: 'whole',
    overlay: true,
  }),
  supertrend: indicator({
    title: 'Supertrend',
    inputs: ['high', 'low', 'close'],
    params: { period: period(7, 1), multiplier: factor(3, 0, 100) },
    outputs: ['value', label('valueAdvice', { 1: 'long', '-1': 'short' })],
    lookback: p => p.period,
    state: 4,
    memory: 'whole',
    overlay: true,
  }),
}
