import { flag, indicator, period } from './define.js'

export const statisticsReturns = {
  logreturn: indicator({
    title: 'Log Return',
    inputs: ['close'],
    params: { period: period(1, 1), cumulative: flag(false) },
    outputs: ['value'],
    lookback: p => (p.cumulative ? 0 : p.period),
    state: 1,
    memory: 'whole',
  }),
  percentreturn: indicator({
    title: 'Percent Return',
    inputs: ['close'],
    params: { period: period(1, 1), cumulative: flag(false) },
    outputs: ['value'],
    lookback: p => (p.cumulative ? 0 : p.period),
    state: 1,
    memory: 'whole',
  }),
  drawdown: indicator({
    title: 'Drawdown',
    inputs: ['close'],
    outputs: ['value', 'percent', 'log'],
    lookback: 0,
    state: 1,
    memory: 'whole',
  }),
}
