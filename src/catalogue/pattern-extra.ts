import { indicator, nameList, signal } from './define.js'
import { pattern } from './pattern.js'

/** Simple patterns that TA-Lib does not have. */
const single = {
  tweezertop: indicator({
    title: 'Tweezer Top',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 11,
    memory: 'finite',
  }),
  tweezerbottom: indicator({
    title: 'Tweezer Bottom',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 11,
    memory: 'finite',
  }),
  insidebar: indicator({
    title: 'Inside Bar',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
  outsidebar: indicator({
    title: 'Outside Bar',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
  risingwindow: indicator({
    title: 'Rising Window',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
  fallingwindow: indicator({
    title: 'Falling Window',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
  pinbar: indicator({
    title: 'Pin Bar',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 0,
    memory: 'finite',
  }),
}

export const patternExtra = {
  ...single,
  candlepatterns: indicator({
    title: 'All candlestick patterns at once',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: ['bullish', 'bearish', nameList('patterns', Object.keys({ ...pattern, ...single }))],
    lookback: 14,
    // The columns that assembly/parts/candles/pattern-block.ts names, with five sets of marks.
    scratch: 8,
    memory: 'finite',
  }),
}
