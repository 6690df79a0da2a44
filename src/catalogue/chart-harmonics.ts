import { choice, factor, flag, type Indicator, indicator, period, signal, sparse } from './define.js'
import { edgesState, pivotsState } from './pivots.js'

/** Turning points that the longest pattern has, and numbers of its levels: see assembly/parts/chart/harmonic.ts. */
const capacity = 6
const levels = 6

/** Candles on both sides of a turning point that must not pass it. */
const spans = (depth: number): number => 2 * Math.floor(depth / 2)

/** One member of the family: they have everything but their ratios in common. */
const harmonic = (title: string) =>
  indicator({
    title,
    inputs: ['open', 'high', 'low', 'close'],
    params: {
      depth: period(10, 2, 200),
      deviationATR: factor(1, 0, 100),
      deviationType: choice('atr', 'percent'),
      source: choice('wick', 'body'),
      heikinashi: flag(true),
      atrPeriod: period(14, 1),
      tolerance: factor(0.05, 0, 0.5),
    },
    outputs: [signal('value'), sparse('entry'), sparse('stop'), sparse('target')],
    lookback: p => Math.max(spans(p.depth), p.deviationType === 'atr' ? p.atrPeriod : 0),
    state: p => 1 + edgesState(spans(p.depth)) + pivotsState(capacity) + levels,
    scratch: 3,
    memory: 'whole',
    overlay: true,
  })

export const chartHarmonics = {
  abcd: harmonic('AB=CD'),
  gartley: harmonic('Gartley'),
  bat: harmonic('Bat'),
  altbat: harmonic('Alternate Bat'),
  butterfly: harmonic('Butterfly'),
  crab: harmonic('Crab'),
  deepcrab: harmonic('Deep Crab'),
  shark: harmonic('Shark'),
  cypher: harmonic('Cypher'),
  threedrives: harmonic('Three Drives'),
  wolfewave: harmonic('Wolfe Wave'),
} satisfies Record<string, Indicator>
