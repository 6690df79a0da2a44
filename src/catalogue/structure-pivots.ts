import { choice, factor, indicator, integer, type NumberOutput, period, sparse } from './define.js'

const anchor = choice('auto', 'day', 'week', 'month')

/** Levels from the highest resistance to the lowest support. */
const levels = <const Name extends string>(...names: readonly Name[]) =>
  names.map(name => sparse(name)) as unknown as readonly [NumberOutput<Name>]
const one = levels('r1', 'p', 's1')
const three = levels('r3', 'r2', 'r1', 'p', 's1', 's2', 's3')
const five = levels('r5', 'r4', 'r3', 'r2', 'r1', 'p', 's1', 's2', 's3', 's4', 's5')
const four = levels('r4', 'r3', 'r2', 'r1', 'p', 's1', 's2', 's3', 's4')

/** What all levels that are made of a span of the calendar have in common. */
const ofSpan = {
  inputs: ['open', 'high', 'low', 'close', 'timestamp'],
  // The candle before shows the timeframe; spans end where the calendar says.
  lookback: 1,
  // `AnchoredPeriods` of the kernels: the smallest distance of two candles, and a period for each of four spans.
  state: 1 + 4 * 10,
  memory: 'whole',
  overlay: true,
} as const

/** What the levels have in common whose first span counts even where its beginning was not seen. */
const ofAnySpan = {
  inputs: ['high', 'low', 'close', 'timestamp'],
  params: { anchor: choice('day', 'week', 'month') },
  lookback: 1,
  // A `Period` of the kernels.
  state: 10,
  memory: 'whole',
  overlay: true,
} as const

export const structurePivots = {
  pivotpoints: indicator({
    ...ofSpan,
    title: 'Pivot points',
    params: {
      anchor: choice('auto', 'day', 'week', 'month', 'year'),
      family: choice('standard', 'fibonacci', 'camarilla', 'woodie', 'demark'),
    },
    outputs: three,
  }),
  pivotsfibonacci: indicator({
    ...ofSpan,
    title: 'Fibonacci pivot points',
    params: { anchor },
    outputs: three,
  }),
  pivotscamarilla: indicator({
    ...ofSpan,
    title: 'Camarilla pivot points',
    params: { anchor },
    outputs: four,
  }),
  pivotswoodie: indicator({
    ...ofSpan,
    title: 'Woodie pivot points',
    params: { anchor },
    outputs: three,
  }),
  pivotsdemark: indicator({
    ...ofSpan,
    title: 'DeMark pivot points',
    params: { anchor },
    outputs: one,
  }),
  pivotstraditional: indicator({
    ...ofAnySpan,
    title: 'Traditional Pivot Points (five levels)',
    outputs: five,
  }),
  pivotsclassic: indicator({ ...ofAnySpan, title: 'Classic Pivot Points', outputs: four }),
  cpr: indicator({
    ...ofSpan,
    title: 'Central pivot range',
    params: { anchor },
    outputs: [sparse('pivot'), sparse('top'), sparse('bottom'), sparse('width')],
    degree: { width: [0, 0] },
  }),
  rollingpivots: indicator({
    title: 'Rolling pivot points',
    inputs: ['high', 'low', 'close'],
    params: { period: period(20, 1), offset: integer(0, 0, 400) },
    outputs: ['r3', 'r2', 'r1', 'p', 's1', 's2', 's3'],
    lookback: p => p.period + p.offset,
    scratch: 3,
    memory: 'finite',
    overlay: true,
  }),
  goldenzone: indicator({
    title: 'Golden Zone',
    inputs: ['high', 'low'],
    params: { period: period(60), first: factor(0.5, 0, 10), second: factor(0.618, 0, 10) },
    outputs: ['upper', 'lower'],
    lookback: p => p.period - 1,
    scratch: 1,
    memory: 'finite',
    overlay: true,
  }),
  tdrangeprojection: indicator({
    title: 'TD Range Projection',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: ['high', 'low'],
    lookback: 1,
    memory: 'finite',
    overlay: true,
  }),
}
