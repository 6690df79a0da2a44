import { indicator } from './define.js'

export const volume = {
  obv: indicator({
    title: 'On Balance Volume',
    inputs: ['close', 'volume'],
    outputs: ['value'],
    lookback: 0,
    state: 2,
    memory: 'whole',
  }),
}
