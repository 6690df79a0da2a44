import { indicator, type Numbers, period, signal, startingAfter } from './define.js'

/** Patterns of candles that leave gaps between them, shadows included. */
export const patternGaps = {
  twoblackgapping: indicator({
    title: 'Two Black Gapping Candles',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 2,
    memory: 'finite',
  }),
  gappingdoji: indicator({
    title: 'Gapping Doji',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 10,
    scratch: 1,
    memory: 'finite',
  }),
  collapsingdojistar: indicator({
    title: 'Collapsing Doji Star',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 12,
    scratch: 1,
    memory: 'finite',
  }),
  islandreversal: indicator({
    title: 'Island Reversal',
    inputs: ['high', 'low'],
    params: { maxLength: period(10, 1, 100) },
    outputs: [startingAfter((_: Numbers<'maxLength'>) => 2, signal('value'))],
    lookback: p => p.maxLength + 1,
    memory: 'finite',
  }),
}
