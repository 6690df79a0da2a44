import { atMost, choice, factor, indicator, label, period, signal, sparse } from '../define.js'
import { exponentialState } from '../exponential-average.js'
import { pivotsState } from '../pivots.js'

/** Numbers of state: see swings.ts and equal-swings.ts (8 levels of a side) in assembly/parts/swings, and the kernel zigzag. */
const swingsState = 5
const legState = 3
const levelsState = 3 + 3 * 8

/** The spans of a swing: both together fit into the history. */
const spans = { swingLeft: period(5, 1, 250), swingRight: period(5, 1, 250) }
const ofSpans = (p: { readonly swingLeft: number; readonly swingRight: number }) => p.swingLeft + p.swingRight
const breaks = { ...spans, breakOn: choice('close', 'wick') }
const equals = (tolerance: number) => ({
  ...spans,
  toleranceATR: factor(tolerance, 0, 10),
  atrPeriod: period(14, 1),
})

export const swings = {
  swings: indicator({
    title: 'Swing Highs and Lows',
    description:
      'Marks highs and lows that stand above or below a number of candles on both sides. They are the points from which structure is read. A swing is known only after the candles on its right.',
    related: ['fractals', 'zigzag', 'marketstructure'],
    otherNames: ['TTM scalper', 'Swing points'],
    namesElsewhere: { ta4j: 'RecentFractalSwingHigh' },
    inputs: ['high', 'low'],
    sources: 0,
    params: spans,
    outputs: [signal('value'), sparse('level')],
    lookback: ofSpans,
    state: 1,
    memory: 'whole',
    overlay: true,
    drawing: [{ kind: 'mark', outputs: ['value'], at: 'sign', behind: 'swingRight' }],
  }),
  zigzag: indicator({
    title: 'ZigZag',
    description:
      'Joins highs and lows that are at least a given move apart and leaves smaller moves out. It makes the past easy to read. The last leg is not final; here a point is given when it is confirmed, so nothing is redrawn.',
    related: ['swings', 'retracements'],
    otherNames: ['ZZ', 'Directional change'],
    namesElsewhere: { skender: 'ZIGZAG', lean: 'ZigZag' },
    inputs: ['high', 'low', 'close'],
    params: {
      deviation: factor(5, 0.01, 100),
      deviationType: choice('percent', 'atr'),
      atrPeriod: period(14, 1),
      source: choice('wick', 'close'),
    },
    outputs: [signal('value'), sparse('level'), signal('legDirection')],
    lookback: p => (p.deviationType === 'atr' ? p.atrPeriod : 0),
    state: exponentialState + legState,
    scratch: 1,
    memory: 'whole',
    overlay: true,
    drawing: [{ kind: 'segments', outputs: ['level'], colour: 1 }],
  }),
  fractals: indicator({
    title: 'Williams Fractals',
    description:
      "Williams' five-candle highs and lows. They serve as levels for breakouts and stops. Each appears two candles late.",
    related: ['swings', 'fcb', 'williamsalligator'],
    namesElsewhere: { talib: 'FRACTAL (development)', skender: 'FRACTAL' },
    inputs: ['high', 'low'],
    params: { left: period(2, 1, 250), right: period(2, 1, 250) },
    outputs: [sparse('up'), sparse('down')],
    lookback: p => p.left + p.right,
    memory: 'finite',
    overlay: true,
    drawing: [
      { kind: 'mark', outputs: ['up'], at: 'above', behind: 'right' },
      { kind: 'mark', outputs: ['down'], at: 'below', behind: 'right' },
    ],
  }),
  priorswinghigh: indicator({
    title: 'Prior Swing High',
    description:
      'The highest close and the highest high of the candles before this one. They serve as levels for breakouts and as stops of short positions. The candles after a high need not confirm it, so in a rise the level follows the price.',
    related: ['priorswinglow', 'swings', 'donchianchannels'],
    namesElsewhere: {
      skender: 'PIVOTS',
      ta4j: 'FractalHigh',
      lean: 'PivotPointsHighLow',
      taapi: 'priorswinghigh',
    },
    inputs: ['high', 'close'],
    params: { period: period(14, 1) },
    outputs: ['valueClose', 'valueHigh'],
    lookback: p => p.period,
    scratch: 1,
    memory: 'finite',
    overlay: true,
    drawing: [
      { kind: 'steps', outputs: ['valueClose'], colour: 1 },
      { kind: 'steps', outputs: ['valueHigh'], colour: 2 },
    ],
  }),
  priorswinglow: indicator({
    title: 'Prior Swing Low',
    description:
      'The lowest close and the lowest low of the candles before this one. They serve as levels for breakdowns and as stops of long positions. The candles after a low need not confirm it, so in a fall the level follows the price.',
    related: ['priorswinghigh', 'swings', 'donchianchannels'],
    namesElsewhere: {
      skender: 'PIVOTS',
      ta4j: 'FractalHigh',
      lean: 'PivotPointsHighLow',
      taapi: 'priorswinglow',
    },
    inputs: ['low', 'close'],
    params: { period: period(14, 1) },
    outputs: ['valueClose', 'valueLow'],
    lookback: p => p.period,
    scratch: 1,
    memory: 'finite',
    overlay: true,
    drawing: [
      { kind: 'steps', outputs: ['valueClose'], colour: 1 },
      { kind: 'steps', outputs: ['valueLow'], colour: 2 },
    ],
  }),
  bos: indicator({
    title: 'Break of Structure',
    description:
      'A close beyond the last swing in the direction of the trend: the structure continues. Traders use it to confirm a trend. Many breaks fail, and the swing size decides what counts.',
    related: ['choch', 'marketstructure', 'swings'],
    otherNames: ['Break of structure'],
    inputs: ['high', 'low', 'close'],
    params: breaks,
    outputs: [signal('value'), sparse('level')],
    lookback: ofSpans,
    state: swingsState,
    memory: 'whole',
    overlay: true,
    drawing: [{ kind: 'level', outputs: ['level'], fromPrice: true, colouredBy: 'value', label: 'BOS' }],
  }),
  choch: indicator({
    title: 'Change of Character',
    description:
      'A close beyond the last swing against the trend: the first sign that the structure changes. It comes before a new trend and before many returns to the old one.',
    related: ['bos', 'marketstructure'],
    otherNames: ['Change of character'],
    inputs: ['high', 'low', 'close'],
    params: breaks,
    outputs: [signal('value'), sparse('level')],
    lookback: ofSpans,
    state: swingsState,
    memory: 'whole',
    overlay: true,
    drawing: [{ kind: 'level', outputs: ['level'], fromPrice: true, colouredBy: 'value', label: 'CHoCH' }],
  }),
  marketstructure: indicator({
    title: 'Market Structure Trend',
    description:
      'Names the trend by the last swing that was broken: up after a swing high, down after a swing low. It also gives the last swings and the kind of each break. In ranges the trend changes with every break.',
    related: ['bos', 'choch', 'swings'],
    inputs: ['high', 'low', 'close'],
    params: breaks,
    outputs: [
      label('trend', { 1: 'up', '-1': 'down', 0: 'range' }),
      sparse('lastHigh'),
      sparse('lastLow'),
      label('event', { 0: 'none', 1: 'bos', 2: 'choch' }),
    ],
    lookback: ofSpans,
    state: swingsState,
    memory: 'whole',
    overlay: true,
    drawing: [
      { kind: 'level', outputs: ['lastHigh'], colour: 'down' },
      { kind: 'level', outputs: ['lastLow'], colour: 'up' },
      { kind: 'mark', outputs: ['event'], colouredBy: 'trend' },
    ],
  }),
  liquiditysweeps: indicator({
    title: 'Liquidity Sweeps',
    description:
      'A candle that passes a swing with its shadow and closes back. It is read as stops being taken before a turn. A next candle may go through all the same.',
    related: ['liquiditypools', 'turtlesoup', 'equalhighslows'],
    namesElsewhere: { pandasta: 'smc_sweep' },
    inputs: ['high', 'low', 'close'],
    params: spans,
    outputs: [signal('value'), sparse('level')],
    lookback: ofSpans,
    state: swingsState,
    memory: 'whole',
    overlay: true,
    drawing: [
      { kind: 'level', outputs: ['level'], fromPrice: true, colouredBy: 'value' },
      { kind: 'mark', outputs: ['value'] },
    ],
  }),
  equalhighslows: indicator({
    title: 'Equal Highs and Lows',
    description:
      'Swings at nearly the same price, above or below which stops are thought to lie. They draw price, the idea says. What is equal depends on the tolerance.',
    related: ['liquiditypools', 'liquiditysweeps'],
    inputs: ['high', 'low', 'close'],
    params: equals(0.1),
    outputs: [signal('value'), sparse('level'), sparse('touches')],
    degree: { touches: [0, 0] },
    lookback: p => Math.max(ofSpans(p), p.atrPeriod),
    state: exponentialState + 2 * levelsState,
    scratch: 1,
    memory: 'whole',
    overlay: true,
    drawing: [{ kind: 'mark', outputs: ['value'], behind: 'swingRight', label: 'EQ' }],
  }),
  liquiditypools: indicator({
    title: 'Liquidity Pools',
    description:
      'Groups of swings near one price, until they are taken. They mark targets and risky places for stops. Any busy price range has some.',
    related: ['equalhighslows', 'liquiditysweeps'],
    otherNames: ['Buy-side liquidity', 'Sell-side liquidity'],
    inputs: ['high', 'low', 'close'],
    params: equals(0.25),
    outputs: [sparse('buySide'), sparse('sellSide')],
    lookback: p => Math.max(ofSpans(p), p.atrPeriod),
    state: exponentialState + 2 * levelsState,
    scratch: 1,
    memory: 'whole',
    overlay: true,
  }),
  premiumdiscount: indicator({
    title: 'Premium and Discount Zones',
    description:
      'The position of the close in the range between the last two swings: above 0.55 premium, below 0.45 discount, between the two equilibrium. One buys in the lower part. The range is known only after the second swing is confirmed, and prices may be outside it by then.',
    related: ['ote', 'goldenzone', 'retracements'],
    inputs: ['high', 'low', 'close'],
    params: spans,
    outputs: [
      sparse(label('zone', { 1: 'premium', '-1': 'discount', 0: 'equilibrium' })),
      sparse('equilibrium'),
      sparse('position'),
    ],
    degree: { position: [0, 0] },
    lookback: ofSpans,
    state: pivotsState(2),
    memory: 'whole',
    overlay: true,
  }),
  ote: indicator({
    title: 'Optimal Trade Entry',
    description:
      'The zone between 62 and 79 percent of the last leg, where some enter with the trend. It holds while the leg holds. Its percentages are a convention.',
    related: ['goldenzone', 'retracements', 'premiumdiscount'],
    inputs: ['high', 'low', 'close'],
    params: { ...spans, from: factor(0.618, 0, 1), to: factor(0.79, 0, 1) },
    relations: [atMost('from', 'to')],
    outputs: [signal('value'), sparse('top'), sparse('bottom')],
    lookback: ofSpans,
    state: 1 + pivotsState(2),
    memory: 'whole',
    overlay: true,
  }),
  retracements: indicator({
    title: 'Retracements of the Last Leg',
    description:
      'The part of the last leg that has been taken back, now and at its deepest. Shallow values show strength. Legs depend on the swing length.',
    related: ['fibonacciretracement', 'zigzag'],
    inputs: ['high', 'low', 'close'],
    params: spans,
    outputs: [signal('direction'), sparse('current'), sparse('deepest')],
    lookback: ofSpans,
    state: 1 + pivotsState(2),
    memory: 'whole',
    drawing: [
      { kind: 'line', outputs: ['current'], colour: 1 },
      { kind: 'line', outputs: ['deepest'], colour: 2 },
    ],
  }),
}
