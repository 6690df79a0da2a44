import { indicator, period } from './define.js'

export const volatility = {
  atr: indicator({
    title: 'Average True Range',
    inputs: ['high', 'low', 'close'],
    params: { period: period(14, 1) },
    outputs: ['value'],
    lookback: p => p.period,
    state: 1,
    memory: 'fading',
  }),
}
