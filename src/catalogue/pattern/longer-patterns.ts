import { factor, indicator, signal } from '../define.js'

export const longerPatterns = {
  '3linestrike': indicator({
    title: 'Three-Line Strike',
    description:
      'Three candles in one direction and a fourth that takes all of them back. It is read as a pause of the trend; statistics often show the opposite.',
    related: ['3blackcrows', '3whitesoldiers'],
    namesElsewhere: {
      talib: 'CDL3LINESTRIKE',
      pandasta: 'cdl_3linestrike',
      lean: 'ThreeLineStrike',
      taapi: '3linestrike',
    },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 8,
    memory: 'finite',
  }),
  breakaway: indicator({
    title: 'Breakaway',
    description:
      'Five candles: a gap in the direction of the trend, small steps on, and a candle that closes back into the gap. Rare, and only in markets with gaps.',
    related: ['abandonedbaby'],
    namesElsewhere: {
      talib: 'CDLBREAKAWAY',
      pandasta: 'cdl_breakaway',
      lean: 'Breakaway',
      taapi: 'breakaway',
    },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 14,
    memory: 'finite',
  }),
  concealbabyswall: indicator({
    title: 'Concealing Baby Swallow',
    description:
      'Four black candles, the third with a long upper shadow in the second, the fourth engulfing it. A curious reversal after panic; almost never seen.',
    related: ['3starsinsouth'],
    namesElsewhere: {
      talib: 'CDLCONCEALBABYSWALL',
      pandasta: 'cdl_concealbabyswall',
      lean: 'ConcealedBabySwallow',
      taapi: 'concealbabyswall',
    },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 13,
    memory: 'finite',
  }),
  hikkake: indicator({
    title: 'Hikkake Pattern',
    description:
      'An inside candle whose breakout fails within three candles. It is traded against the breakout. It occurs often and works in both directions.',
    related: ['hikkakemod', 'insidebar'],
    namesElsewhere: { talib: 'CDLHIKKAKE', pandasta: 'cdl_hikkake', lean: 'Hikkake', taapi: 'hikkake' },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 5,
    memory: 'finite',
  }),
  hikkakemod: indicator({
    title: 'Modified Hikkake Pattern',
    description:
      'A hikkake with one more candle of compression and a close near the extreme. It is rarer than the plain one.',
    related: ['hikkake'],
    namesElsewhere: {
      talib: 'CDLHIKKAKEMOD',
      pandasta: 'cdl_hikkakemod',
      lean: 'HikkakeModified',
      taapi: 'hikkakemod',
    },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 10,
    memory: 'finite',
  }),
  ladderbottom: indicator({
    title: 'Ladder Bottom',
    description:
      'Four falling black candles, the last with an upper shadow, then a white one that opens higher. A fall ends as sellers take their profit. Hardly ever seen.',
    related: ['laddertop'],
    namesElsewhere: {
      talib: 'CDLLADDERBOTTOM',
      pandasta: 'cdl_ladderbottom',
      lean: 'LadderBottom',
      taapi: 'ladderbottom',
    },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 14,
    memory: 'finite',
  }),
  mathold: indicator({
    title: 'Mat Hold',
    description:
      'A long white candle, small ones that drift down but hold, and a new white one. The rise continues. It is the rising three methods with a gap.',
    related: ['risefall3methods'],
    namesElsewhere: { talib: 'CDLMATHOLD', pandasta: 'cdl_mathold', lean: 'MatHold', taapi: 'mathold' },
    inputs: ['open', 'high', 'low', 'close'],
    params: { penetration: factor(0.5, 0, 1) },
    outputs: [signal('value')],
    lookback: 14,
    memory: 'finite',
  }),
  risefall3methods: indicator({
    title: 'Rising/Falling Three Methods',
    description:
      'A long candle, three small ones against it within its range, and another long one in its direction. A pause in a trend.',
    related: ['mathold'],
    namesElsewhere: {
      talib: 'CDLRISEFALL3METHODS',
      pandasta: 'cdl_risefall3methods',
      lean: 'RiseFallThreeMethods',
      taapi: 'risefall3methods',
    },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 14,
    memory: 'finite',
  }),
}
