import { factor, indicator, signal } from './define.js'

export const pattern = {
  '2crows': indicator({
    title: 'Two Crows',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 12,
    memory: 'finite',
  }),
  abandonedbaby: indicator({
    title: 'Abandoned Baby',
    inputs: ['open', 'high', 'low', 'close'],
    params: { penetration: factor(0.3, 0, 1) },
    outputs: [signal('value')],
    lookback: 12,
    memory: 'finite',
  }),
  engulfing: indicator({
    title: 'Engulfing Pattern',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 2,
    memory: 'finite',
  }),
}
