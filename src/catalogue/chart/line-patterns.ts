import {
  choice,
  factor,
  flag,
  type Indicator,
  indicator,
  integer,
  period,
  signal,
  sparse,
} from '../define.js'
import { exponentialState } from '../exponential-average.js'
import { edgesState, pivotsState } from '../pivots.js'

/** Size of `Pattern` in assembly/parts/chart/chart-lines.ts, in numbers. */
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
  state: (p: Spans) =>
    exponentialState + edgesState(p.lookback + p.lookforward) + patternState + pivotsState(2 * p.touches),
  scratch: 4,
  memory: 'whole',
  overlay: true,
} as const

/** With a pole, each turning point has one number more. */
const poled = {
  ...lines,
  outputs: [...lines.outputs, sparse('target')],
  lookback: (p: PoleSpans) => Math.max(lines.lookback(p), p.lookforward + p.poleLength),
  state: (p: PoleSpans) => lines.state(p) + 2 * p.touches,
} as const

export const linePatterns = {
  triangleascending: indicator({
    title: 'Ascending Triangle',
    description:
      'A flat upper line and rising lows: buyers pay more each time. A close above the line is the usual end. A fair share breaks down instead.',
    related: ['triangledescending', 'wedgerising'],
    namesElsewhere: { taapi: 'triangleascending' },
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
    description:
      'A flat lower line and falling highs: sellers accept less each time. A close below the line is the usual end.',
    related: ['triangleascending', 'wedgefalling'],
    namesElsewhere: { taapi: 'triangledescending' },
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
    description:
      'Falling highs and rising lows that meet, broken upwards. The break shows the side that won; before it there is no telling.',
    related: ['trianglesymmetricalbearish', 'pennantbullish'],
    namesElsewhere: { taapi: 'trianglesymmetricalbullish' },
    ...lines,
    params: { ...lineParams(3), minDescentATR: factor(0, 0, 100), minAscentATR: factor(0, 0, 100) },
  }),
  trianglesymmetricalbearish: indicator({
    title: 'Symmetrical Triangle (bearish)',
    description:
      'Falling highs and rising lows that meet, broken downwards. The break shows the side that won; before it there is no telling. Breaks near the tip are weak.',
    related: ['trianglesymmetricalbullish', 'pennantbearish'],
    namesElsewhere: { taapi: 'trianglesymmetricalbearish' },
    ...lines,
    params: { ...lineParams(3), minDescentATR: factor(0, 0, 100), minAscentATR: factor(0, 0, 100) },
  }),
  wedgerising: indicator({
    title: 'Rising Wedge',
    description:
      'Two rising lines that come together, broken downwards: a rise that loses strength. It may take long before it breaks.',
    related: ['wedgefalling', 'channelup'],
    ...lines,
    params: lineParams(2),
  }),
  wedgefalling: indicator({
    title: 'Falling Wedge',
    description:
      'Two falling lines that come together, broken upwards: a fall that loses strength. The target is the start of the wedge. It may take long before it breaks.',
    related: ['wedgerising', 'channeldown'],
    ...lines,
    params: lineParams(2),
  }),
  rectangle: indicator({
    title: 'Rectangle',
    description:
      'Highs and lows between two flat lines until one is broken. The side of the break gives the direction and the height the target. False breaks are common.',
    related: ['consolidation', 'tripletop'],
    ...lines,
    params: lineParams(2),
  }),
  channelup: indicator({
    title: 'Rising Channel',
    description:
      'Highs and lows along two parallel rising lines. The lines serve as targets while it holds. A break of the lower line ends it.',
    related: ['channeldown', 'stddevchannel'],
    ...lines,
    params: lineParams(2),
  }),
  channeldown: indicator({
    title: 'Falling Channel',
    description:
      'Highs and lows along two parallel falling lines. While it holds, the upper line is a place to sell. A break of it ends the channel, often after a false one.',
    related: ['channelup', 'stddevchannel'],
    ...lines,
    params: lineParams(2),
  }),
  flagbullish: indicator({
    title: 'Bull Flag',
    description:
      'A steep rise, a short drift down between parallel lines, and a break upwards. The rise is expected to repeat. What is steep is relative to volatility.',
    related: ['pennantbullish', 'channeldown', 'flagbearish'],
    ...poled,
    params: poleParams,
  }),
  flagbearish: indicator({
    title: 'Bear Flag',
    description:
      'A steep fall, a short drift up between parallel lines, and a break downwards. The fall is expected to repeat. What is steep is relative to volatility, and noise as large as a tenth of the flag hides one flag in four.',
    related: ['pennantbearish', 'channelup', 'flagbullish'],
    ...poled,
    params: poleParams,
  }),
  pennantbullish: indicator({
    title: 'Bull Pennant',
    description:
      'A steep rise and a small triangle that breaks upwards. It is a flag with lines that meet, and is traded like one. Small triangles are found in any noise.',
    related: ['flagbullish', 'trianglesymmetricalbullish', 'pennantbearish'],
    ...poled,
    params: poleParams,
  }),
  pennantbearish: indicator({
    title: 'Bear Pennant',
    description:
      'A steep fall and a small triangle that breaks downwards. The fall is expected to repeat. Small triangles are found in any noise.',
    related: ['flagbearish', 'trianglesymmetricalbearish', 'pennantbullish'],
    ...poled,
    params: poleParams,
  }),
} satisfies Record<string, Indicator>
