import { choice, factor, flag, type Indicator, indicator, integer, period, signal, sparse } from './define.js'
import { edgesState, pivotsState } from './pivots.js'

/** Numbers of `Pattern` in assembly/parts/chart/chart-lines.ts. */
const patternState = 15

/** The parameters that all patterns of two lines begin with. */
const lineParams = <const Touches extends number>(touches: Touches) => ({
  lookback: period(5, 1, 100),
  lookforward: period(5, 1, 100),
  deviationATR: factor(1, 0, 100),
  deviationType: choice('atr', 'percent'),
  source: choice('wick', 'body'),
  heikinashi: flag(true),
  atrPeriod: period(14, 1),
  touches: integer(touches, 2, 5),
})
const poleParams = { ...lineParams(2), poleATR: factor(3, 0, 100), poleLength: period(10, 1, 200) }

interface Spans {
  readonly lookback: number
  readonly lookforward: number
  readonly atrPeriod: number
  readonly touches: number
}
interface PoleSpans extends Spans {
  readonly poleLength: number
}

const inputs = ['open', 'high', 'low', 'close'] as const
const lines = {
  inputs,
  outputs: [signal('value'), sparse('upper'), sparse('lower')],
  lookback: (p: Spans) => Math.max(p.lookback + p.lookforward, p.atrPeriod),
  state: (p: Spans) => 1 + edgesState(p.lookback + p.lookforward) + patternState + pivotsState(2 * p.touches),
  scratch: 4,
  memory: 'whole',
  overlay: true,
} as const
/** Behind a pole, each turning point has a number more. */
const poled = {
  ...lines,
  outputs: [...lines.outputs, sparse('target')],
  lookback: (p: PoleSpans) => Math.max(lines.lookback(p), p.lookforward + p.poleLength),
  state: (p: PoleSpans) => lines.state(p) + 2 * p.touches,
} as const

export const chartLines = {
  triangleascending: indicator({
    title: 'Ascending Triangle',
    ...lines,
    params: {
      ...lineParams(2),
      topToleranceATR: factor(0.75, 0, 100),
      minAscentATR: factor(0, 0, 100),
      invalidationCloses: integer(2, 1, 100),
    },
  }),
  triangledescending: indicator({
    title: 'Descending Triangle',
    ...lines,
    params: {
      ...lineParams(2),
      bottomToleranceATR: factor(0.75, 0, 100),
      minDescentATR: factor(0, 0, 100),
      invalidationCloses: integer(2, 1, 100),
    },
  }),
  trianglesymmetricalbullish: indicator({
    title: 'Symmetrical Triangle (bullish)',
    ...lines,
    params: { ...lineParams(3), minDescentATR: factor(0, 0, 100), minAscentATR: factor(0, 0, 100) },
  }),
  trianglesymmetricalbearish: indicator({
    title: 'Symmetrical Triangle (bearish)',
    ...lines,
    params: { ...lineParams(3), minDescentATR: factor(0, 0, 100), minAscentATR: factor(0, 0, 100) },
  }),
  wedgerising: indicator({ title: 'Rising Wedge', ...lines, params: lineParams(2) }),
  wedgefalling: indicator({ title: 'Falling Wedge', ...lines, params: lineParams(2) }),
  rectangle: indicator({ title: 'Rectangle', ...lines, params: lineParams(2) }),
  channelup: indicator({ title: 'Rising Channel', ...lines, params: lineParams(2) }),
  channeldown: indicator({ title: 'Falling Channel', ...lines, params: lineParams(2) }),
  flagbullish: indicator({ title: 'Bull Flag', ...poled, params: poleParams }),
  flagbearish: indicator({ title: 'Bear Flag', ...poled, params: poleParams }),
  pennantbullish: indicator({ title: 'Bull Pennant', ...poled, params: poleParams }),
  pennantbearish: indicator({ title: 'Bear Pennant', ...poled, params: poleParams }),
} satisfies Record<string, Indicator>
