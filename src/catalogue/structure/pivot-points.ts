import { choice, indicator, integer, type NumberOutput, period, sparse } from '../define.js'

const anchor = choice('auto', 'day', 'week', 'month')

/** Levels from the highest resistance to the lowest support. */
const levels = <const Name extends string>(...names: readonly Name[]) =>
  names.map(name => sparse(name)) as unknown as readonly [NumberOutput<Name>]
const one = levels('r1', 'p', 's1')
const three = levels('r3', 'r2', 'r1', 'p', 's1', 's2', 's3')
const five = levels('r5', 'r4', 'r3', 'r2', 'r1', 'p', 's1', 's2', 's3', 's4', 's5')
const four = levels('r4', 'r3', 'r2', 'r1', 'p', 's1', 's2', 's3', 's4')

/** Properties of all levels of a span of the calendar. */
const ofSpan = {
  inputs: ['open', 'high', 'low', 'close', 'timestamp'],
  // The previous candle reveals the timeframe; spans end by the calendar.
  lookback: 1,
  // `AnchoredPeriods` of the kernels: the smallest distance of two candles, and a period for each of four spans.
  state: 1 + 4 * 10,
  memory: 'whole',
  overlay: true,
} as const

/** Properties of levels whose first span counts even if its beginning was not seen. */
const ofAnySpan = {
  inputs: ['high', 'low', 'close', 'timestamp'],
  params: { anchor: choice('day', 'week', 'month') },
  lookback: 1,
  // A `Period` of the kernels.
  state: 10,
  memory: 'whole',
  overlay: true,
} as const

export const pivotPoints = {
  pivotpoints: indicator({
    ...ofSpan,
    title: 'Pivot points',
    otherNames: ['Pivot Points Standard'],
    description:
      'Levels from the high, low and close of the previous period, by the method that is chosen. They are the same for all traders, which is their main force. They say nothing about which one will hold.',
    related: ['pivotstraditional', 'pivotsfibonacci', 'pivotscamarilla', 'cpr'],
    namesElsewhere: { skender: 'PIVOT-POINTS', ta4j: 'PivotPoint', taapi: 'pivotpoints' },
    params: {
      anchor: choice('auto', 'day', 'week', 'month', 'year'),
      family: choice('standard', 'fibonacci', 'camarilla', 'woodie', 'demark'),
    },
    outputs: three,
  }),
  pivotsfibonacci: indicator({
    ...ofSpan,
    title: 'Fibonacci pivot points',
    description:
      'Pivot points whose levels are Fibonacci shares of the previous range. All of them are equally well known, but not equally often reached.',
    related: ['pivotpoints', 'retracements'],
    params: { anchor },
    outputs: three,
  }),
  pivotscamarilla: indicator({
    ...ofSpan,
    title: 'Camarilla pivot points',
    description:
      'Levels close to the previous close, of which the third are for returns and the fourth for breakouts. It suits days that stay in range.',
    related: ['pivotpoints'],
    params: { anchor },
    outputs: four,
  }),
  pivotswoodie: indicator({
    ...ofSpan,
    title: 'Woodie pivot points',
    description:
      'Pivot points in which the open of the new period counts twice. A gap at the open shifts all levels. Where trading does not pause, the open is the close before and brings nothing new.',
    related: ['pivotpoints'],
    params: { anchor },
    outputs: three,
  }),
  pivotsdemark: indicator({
    ...ofSpan,
    title: 'DeMark pivot points',
    description:
      "One high and one low for the next period, from a sum that depends on the candle's colour. DeMark meant them as a forecast of the range.",
    related: ['pivotpoints', 'tdrangeprojection'],
    namesElsewhere: { ta4j: 'DeMarkPivotPoint' },
    params: { anchor },
    outputs: one,
  }),
  pivotstraditional: indicator({
    ...ofAnySpan,
    title: 'Traditional Pivot Points (five levels)',
    description:
      'Floor-trader pivots with five levels on each side, as charts draw them. The first levels are reached on most days, the outer hardly ever.',
    related: ['pivotpoints', 'pivotsclassic'],
    outputs: five,
  }),
  pivotsclassic: indicator({
    ...ofAnySpan,
    title: 'Classic Pivot Points',
    description:
      'Pivot points whose outer levels are whole ranges from the pivot. They are read like the traditional ones and lie farther apart. The outer levels are seldom reached.',
    related: ['pivotpoints', 'pivotstraditional'],
    outputs: four,
  }),
  cpr: indicator({
    ...ofSpan,
    title: 'Central pivot range',
    description:
      'The pivot and two lines around it. A narrow range foretells a day of movement, a wide one a quiet day. The rule is a tendency.',
    related: ['pivotpoints'],
    otherNames: ['Central pivot range'],
    namesElsewhere: { pandasta: 'cpr' },
    params: { anchor },
    outputs: [sparse('pivot'), sparse('top'), sparse('bottom'), sparse('width')],
    degree: { width: [0, 0] },
  }),
  rollingpivots: indicator({
    title: 'Rolling pivot points',
    description:
      'Pivot levels from a moving window rather than from a calendar period. They suit markets without sessions, and move with every candle.',
    related: ['pivotpoints', 'donchianchannels'],
    namesElsewhere: { skender: 'ROLLING-PIVOTS' },
    inputs: ['high', 'low', 'close'],
    params: { period: period(20, 1), offset: integer(0, 0, 400) },
    outputs: ['r3', 'r2', 'r1', 'p', 's1', 's2', 's3'],
    lookback: p => p.period + p.offset,
    scratch: 3,
    memory: 'finite',
    overlay: true,
  }),
}
