import {
  atMost,
  choice,
  factor,
  flag,
  type Indicator,
  indicator,
  period,
  signal,
  sparse,
  startingAfter,
} from '../define.js'
import { exponentialState } from '../exponential-average.js'
import { edgesState, pivotsState } from '../pivots.js'

/** Size of the state of a formation in numbers: `Formation.size` in assembly/parts/chart/formation.ts. */
const formationState = 8
interface SwingValues {
  readonly depth: number
  readonly atrPeriod: number
}

/** Parameters of turning points: their source and their distance. */
const swings = {
  depth: period(10, 2, 200),
  deviationATR: factor(1, 0, 100),
  deviationType: choice('atr', 'percent'),
  source: choice('wick', 'body'),
  heikinashi: flag(true),
  atrPeriod: period(14, 1),
} as const

const span = (p: SwingValues) => 2 * Math.floor(p.depth / 2)
const warmup = (p: SwingValues) => Math.max(p.atrPeriod, span(p))

/** State of two formations, a list of turning points, the average true range and the ends of the candles. */
const state = (p: SwingValues, pivots: number) =>
  1 + 2 * formationState + pivotsState(pivots) + exponentialState + edgesState(span(p))
const outputs = [signal('value'), sparse('neckline'), sparse('target')] as const
const candle = ['open', 'high', 'low', 'close'] as const
const symmetry = (min: number, max: number) => ({
  symmetryMin: factor(min, 0, 100),
  symmetryMax: factor(max, 0, 100),
})

const breakout = { breakoutLookahead: period(20, 1), necklineBuffer: factor(0.1, 0, 100) }

/** A list of turning points with the `capacity` of assembly/parts/chart/reversal.ts. */
const reversal = {
  inputs: candle,
  outputs,
  lookback: warmup,
  scratch: 3,
  memory: 'whole',
  overlay: true,
} as const

const reversalState = (p: SwingValues) => state(p, 6)
const tripleParams = {
  ...swings,
  toleranceATR: factor(0.75, 0, 100),
  minHeightATR: factor(1.5, 0, 100),
  breakoutLookahead: period(20, 1),
}

interface RoundingValues extends SwingValues {
  readonly maxLength: number
}

/** Turning points with the `capacity` of assembly/parts/chart/rounding.ts; the closes of a whole cup are read again. */
const rounding = {
  inputs: candle,
  params: { ...swings, minLength: period(20, 4), maxLength: period(120, 4) },
  relations: [atMost('minLength', 'maxLength')],
  outputs: outputs.map(output =>
    startingAfter(p => warmup(p as unknown as SwingValues), output),
  ) as unknown as typeof outputs,
  lookback: (p: RoundingValues) => Math.max(warmup(p), p.maxLength + Math.floor(p.depth / 2)),
  state: (p: SwingValues) => state(p, 32) + 1,
  scratch: 3,
  memory: 'whole',
  overlay: true,
} as const

export const reversalPatterns = {
  cupandhandle: indicator({
    ...rounding,
    title: 'Cup and Handle',
    description:
      'A rounded low, a return to the old high, a small setback, and a close above. It takes weeks on daily charts. Short timeframes have cups everywhere.',
    related: ['roundingbottom', 'inversecupandhandle'],
  }),
  doublebottom: indicator({
    ...reversal,
    title: 'Double Bottom',
    description:
      'Two lows at about the same price with a high between them. A close above that high confirms it. The second low may be slightly lower.',
    related: ['doubletop', 'triplebottom', 'inverseheadandshoulders'],
    otherNames: ['W pattern'],
    namesElsewhere: { taapi: 'doublebottom' },
    params: {
      ...swings,
      bottomToleranceATR: factor(0.75, 0, 100),
      minHeightATR: factor(1.5, 0, 100),
      ...symmetry(0.3, 4),
      ...breakout,
    },
    relations: [atMost('symmetryMin', 'symmetryMax')],
    state: reversalState,
  }),
  doubletop: indicator({
    ...reversal,
    title: 'Double Top',
    description:
      'Two highs at about the same price with a low between them. A close below that low confirms it. In a rising trend most pairs of highs do not become one.',
    related: ['doublebottom', 'tripletop', 'headandshoulders'],
    otherNames: ['M pattern'],
    namesElsewhere: { taapi: 'doubletop' },
    params: {
      ...swings,
      topToleranceATR: factor(0.75, 0, 100),
      minHeightATR: factor(1.5, 0, 100),
      ...symmetry(0.3, 4),
      ...breakout,
    },
    relations: [atMost('symmetryMin', 'symmetryMax')],
    state: reversalState,
  }),
  headandshoulders: indicator({
    ...reversal,
    title: 'Head and Shoulders',
    description:
      'Three highs, the middle one highest, over a line through the lows between them. A close below the line confirms a fall by about the height of the head. Many shapes look like it; only the break counts.',
    related: ['inverseheadandshoulders', 'tripletop', 'doubletop'],
    otherNames: ['H&S', 'HS pattern'],
    namesElsewhere: { taapi: 'headandshoulders' },
    params: {
      ...swings,
      headProminenceATR: factor(1.2, 0, 100),
      shoulderToleranceATR: factor(1.5, 0, 100),
      minHeightATR: factor(1, 0, 100),
      ...symmetry(0.5, 2),
      ...breakout,
    },
    relations: [atMost('symmetryMin', 'symmetryMax')],
    state: reversalState,
  }),
  inverseheadandshoulders: indicator({
    ...reversal,
    title: 'Inverse Head and Shoulders',
    description:
      'Three lows, the middle one lowest, under a line through the highs between them. A close above the line confirms a rise. Without volume the break often fails.',
    related: ['headandshoulders', 'triplebottom', 'doublebottom'],
    otherNames: ['Inverse H&S'],
    namesElsewhere: { taapi: 'inverseheadandshoulders' },
    params: {
      ...swings,
      headProminenceATR: factor(1.2, 0, 100),
      shoulderToleranceATR: factor(1.5, 0, 100),
      minDepthATR: factor(1, 0, 100),
      ...symmetry(0.5, 2),
      ...breakout,
    },
    relations: [atMost('symmetryMin', 'symmetryMax')],
    state: reversalState,
  }),
  inversecupandhandle: indicator({
    ...rounding,
    title: 'Inverse Cup and Handle',
    description:
      'The cup turned over: a rounded high, a small rise, and a close below. It is rarer and less tested.',
    related: ['cupandhandle', 'roundingtop'],
  }),
  roundingbottom: indicator({
    ...rounding,
    title: 'Rounding Bottom',
    description:
      'A slow turn from fall to rise in the shape of a bowl. It shows patient buying. It is seen only when it is nearly complete.',
    related: ['cupandhandle', 'roundingtop'],
  }),
  roundingtop: indicator({
    ...rounding,
    title: 'Rounding Top',
    description:
      'A slow turn from rise to fall in the shape of a dome. It shows patient selling. It is seen only when it is nearly complete.',
    related: ['roundingbottom', 'inversecupandhandle'],
  }),
  triplebottom: indicator({
    ...reversal,
    title: 'Triple Bottom',
    description:
      'Three lows near one price and a close above the highs between. It is rarer than the double bottom.',
    related: ['doublebottom', 'rectangle', 'tripletop'],
    params: tripleParams,
    state: reversalState,
  }),
  tripletop: indicator({
    ...reversal,
    title: 'Triple Top',
    description:
      'Three highs near one price and a close below the lows between. The break below the lows says that sellers have won. Authors differ on whether three touches make it more reliable than two.',
    related: ['doubletop', 'rectangle', 'triplebottom'],
    params: tripleParams,
    state: reversalState,
  }),
} satisfies Record<string, Indicator>
