import { indicator, signal } from '../define.js'

/** Mirror images of one-sided candlestick patterns of TA-Lib: the scratch columns hold the market upside down. */
export const mirroredPatterns = {
  matchinghigh: indicator({
    title: 'Matching High',
    description:
      'Two white candles with the same close: the high holds for once. It is the mirror of the matching low and is read as resistance. Two equal closes are no rare event.',
    related: ['matchinglow'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 6,
    scratch: 5,
    memory: 'finite',
  }),
  tworabbits: indicator({
    title: 'Two Rabbits',
    description:
      'The mirror of the two crows: a black candle, and two white ones of which the second closes within its body. It is read as the end of a fall. It needs a gap and is rare.',
    related: ['2crows'],
    tier: 3,
    inputs: ['open', 'close'],
    outputs: [signal('value')],
    lookback: 12,
    scratch: 3,
    memory: 'finite',
  }),
  downsidegaptworabbits: indicator({
    title: 'Downside Gap Two Rabbits',
    description:
      'The mirror of the upside gap two crows: two white candles below the body of a black one. Sellers hold the gap but weaken. It needs a gap and is rare.',
    related: ['upsidegap2crows'],
    tier: 3,
    inputs: ['open', 'close'],
    outputs: [signal('value')],
    lookback: 12,
    scratch: 3,
    memory: 'finite',
  }),
  uniquethreemountain: indicator({
    title: 'Unique Three Mountain Top',
    description:
      'The mirror of the unique three river: a long white candle, a white one within it with a new high, and a small black one above. A top that hardly ever occurs.',
    related: ['unique3river'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 12,
    scratch: 5,
    memory: 'finite',
  }),
  descendinghawk: indicator({
    title: 'Descending Hawk',
    description:
      'A small white body within a long white one after a rise. The rise slows. It is the mirror of the homing pigeon and weak by itself.',
    related: ['homingpigeon'],
    tier: 3,
    inputs: ['open', 'close'],
    outputs: [signal('value')],
    lookback: 11,
    scratch: 3,
    memory: 'finite',
  }),
  descentblock: indicator({
    title: 'Descent Block',
    description:
      'Three black candles whose bodies shrink while their lower shadows grow: a fall that tires. It is the mirror of the advance block, a warning and no reversal.',
    related: ['advanceblock'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 12,
    scratch: 5,
    memory: 'finite',
  }),
  deliberationblock: indicator({
    title: 'Bullish Deliberation Block',
    description:
      'Two long black candles and a small one near the low: the fall stalls. It is the mirror of the stalled pattern and asks sellers for caution only.',
    related: ['stalledpattern'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 12,
    scratch: 5,
    memory: 'finite',
  }),
  laddertop: indicator({
    title: 'Ladder Top',
    description:
      'Four rising white candles, the last with a lower shadow, then a black one that opens lower. It is the mirror of the ladder bottom and read as the end of a rise. Hardly ever seen.',
    related: ['ladderbottom'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 14,
    scratch: 5,
    memory: 'finite',
  }),
  bearishsticksandwich: indicator({
    title: 'Bearish Stick Sandwich',
    description:
      'A black candle between two white ones with the same close. The close has been refused twice. It is the mirror of the stick sandwich; equal closes may be chance.',
    related: ['sticksandwich'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 7,
    scratch: 5,
    memory: 'finite',
  }),
}
