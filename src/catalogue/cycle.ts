import { indicator } from './define.js'

export const cycle = {
  ht_dcperiod: indicator({
    title: 'Hilbert Transform – Dominant Cycle Period',
    inputs: ['close'],
    outputs: ['value'],
    lookback: 32,
    state: 38,
    memory: 'fading',
  }),
}
