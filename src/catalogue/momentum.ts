import { indicator, period } from './define.js'

export const momentum = {
  rsi: indicator({
    title: 'Relative Strength Index (RSI)',
    inputs: ['close'],
    params: { period: period(14) },
    outputs: ['value'],
    lookback: p => p.period,
    state: 2,
    memory: 'fading',
  }),
}
