import { atMost, choice, factor, type Indicator, indicator, label, period, signal, sparse } from './define.js'
import { pivotsState } from './pivots.js'

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

export const structureSwings = {
  swings: indicator({
    title: 'Swing Highs and Lows',
    inputs: ['high', 'low'],
    sources: 0,
    params: spans,
    outputs: [signal('value'), sparse('level')],
    lookback: ofSpans,
    state: 1,
    memory: 'whole',
    overlay: true,
  }),
  zigzag: indicator({
    title: 'ZigZag',
    inputs: ['high', 'low', 'close'],
    params: {
      deviation: factor(5, 0.01, 100),
      deviationType: choice('percent', 'atr'),
      atrPeriod: period(14, 1),
      source: choice('wick', 'close'),
    },
    outputs: [signal('value'), sparse('level'), signal('legDirection')],
    lookback: p => (p.deviationType === 'atr' ? p.atrPeriod : 0),
    state: 1 + legState,
    scratch: 1,
    memory: 'whole',
    overlay: true,
  }),
  fractals: indicator({
    title: 'Williams Fractals',
    inputs: ['high', 'low'],
    params: { left: period(2, 1, 250), right: period(2, 1, 250) },
    outputs: [sparse('up'), sparse('down')],
    lookback: p => p.left + p.right,
    memory: 'finite',
    overlay: true,
  }),
  bos: indicator({
    title: 'Break of Structure',
    inputs: ['high', 'low', 'close'],
    params: breaks,
    outputs: [signal('value'), sparse('level')],
    lookback: ofSpans,
    state: swingsState,
    memory: 'whole',
    overlay: true,
  }),
  choch: indicator({
    title: 'Change of Character',
    inputs: ['high', 'low', 'close'],
    params: breaks,
    outputs: [signal('value'), sparse('level')],
    lookback: ofSpans,
    state: swingsState,
    memory: 'whole',
    overlay: true,
  }),
  marketstructure: indicator({
    title: 'Market Structure Trend',
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
  }),
  liquiditysweeps: indicator({
    title: 'Liquidity Sweeps',
    inputs: ['high', 'low', 'close'],
    params: spans,
    outputs: [signal('value'), sparse('level')],
    lookback: ofSpans,
    state: swingsState,
    memory: 'whole',
    overlay: true,
  }),
  equalhighslows: indicator({
    title: 'Equal Highs and Lows',
    inputs: ['high', 'low', 'close'],
    params: equals(0.1),
    outputs: [signal('value'), sparse('level'), sparse('touches')],
    degree: { touches: [0, 0] },
    lookback: p => Math.max(ofSpans(p), p.atrPeriod),
    state: 1 + 2 * levelsState,
    scratch: 1,
    memory: 'whole',
    overlay: true,
  }),
  liquiditypools: indicator({
    title: 'Liquidity Pools',
    inputs: ['high', 'low', 'close'],
    params: equals(0.25),
    outputs: [sparse('buySide'), sparse('sellSide')],
    lookback: p => Math.max(ofSpans(p), p.atrPeriod),
    state: 1 + 2 * levelsState,
    scratch: 1,
    memory: 'whole',
    overlay: true,
  }),
  premiumdiscount: indicator({
    title: 'Premium and Discount Zones',
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
    inputs: ['high', 'low', 'close'],
    params: spans,
    outputs: [signal('direction'), sparse('current'), sparse('deepest')],
    lookback: ofSpans,
    state: 1 + pivotsState(2),
    memory: 'whole',
  }),
} satisfies Record<string, Indicator>
