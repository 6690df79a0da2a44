import { indicator, signal } from './define.js'

/** DeMark's patterns of a few candles. */
export const patternDemark = {
  tddifferential: indicator({
    title: 'TD Differential',
    inputs: ['high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 2,
    memory: 'finite',
  }),
  tdreversedifferential: indicator({
    title: 'TD Reverse Differential',
    inputs: ['high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 2,
    memory: 'finite',
  }),
  tdantidifferential: indicator({
    title: 'TD Anti-Differential',
    inputs: ['close'],
    outputs: [signal('value')],
    lookback: 4,
    memory: 'finite',
  }),
  tdopen: indicator({
    title: 'TD Open',
    inputs: ['open', 'high', 'low'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
  tdclop: indicator({
    title: 'TD Clop',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
  tdclopwin: indicator({
    title: 'TD Clopwin',
    inputs: ['open', 'close'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
  tdcamouflage: indicator({
    title: 'TD Camouflage',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 3,
    memory: 'finite',
  }),
  tdtrap: indicator({
    title: 'TD Trap',
    inputs: ['open', 'high', 'low'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
}
