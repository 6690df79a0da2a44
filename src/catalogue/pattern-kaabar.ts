import { factor, indicator, period, signal } from './define.js'

/** Patterns of Kaabar's Mastering Financial Pattern Recognition. */
export const patternKaabar = {
  doubletrouble: indicator({
    title: 'Double Trouble',
    inputs: ['open', 'high', 'low', 'close'],
    params: { period: period(10, 1), multiplier: factor(2, 0, 100) },
    outputs: [signal('value')],
    lookback: p => p.period + 1,
    state: 1,
    scratch: 1,
    memory: 'fading',
  }),
  bottle: indicator({
    title: 'Bottle',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
  slingshot: indicator({
    title: 'Slingshot',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 3,
    memory: 'finite',
  }),
  hpattern: indicator({
    title: 'H Pattern',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 2,
    memory: 'finite',
  }),
  euphoria: indicator({
    title: 'Euphoria',
    inputs: ['open', 'close'],
    outputs: [signal('value')],
    lookback: 2,
    memory: 'finite',
  }),
  blockade: indicator({
    title: 'Blockade',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 3,
    memory: 'finite',
  }),
}
