import { indicator, period } from './define.js'

export const math = {
  abs: indicator({
    title: 'Vector Absolute Value',
    inputs: ['close'],
    outputs: ['abs'],
    lookback: 0,
    memory: 'finite',
  }),
  add: indicator({
    title: 'Vector Arithmetic Add',
    inputs: ['high', 'low'],
    sources: 2,
    outputs: ['value'],
    lookback: 0,
    memory: 'finite',
  }),
  max: indicator({
    title: 'Highest value over a specified period',
    inputs: ['close'],
    params: { period: period(30) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 1,
    memory: 'finite',
    overlay: true,
  }),
}
