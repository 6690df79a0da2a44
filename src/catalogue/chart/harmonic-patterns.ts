import type { About } from '../about.js'
import { choice, factor, flag, type Indicator, indicator, period, signal, sparse } from '../define.js'
import { exponentialState } from '../exponential-average.js'
import { edgesState, pivotsState } from '../pivots.js'

/** Number of turning points of the longest pattern, and of its levels: see assembly/parts/chart/harmonic.ts. */
const capacity = 6
const levels = 6

/** Candles on both sides of a turning point that must not pass it. */
const spans = (depth: number): number => 2 * Math.floor(depth / 2)

/** One member of the family: members differ only in their ratios. */
const harmonic = (about: About) =>
  indicator({
    ...about,
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
    state: p => exponentialState + edgesState(spans(p.depth)) + pivotsState(capacity) + levels,
    scratch: 3,
    memory: 'whole',
    overlay: true,
  })

export const harmonicPatterns = {
  abcd: harmonic({
    title: 'AB=CD',
    description:
      'Two legs of equal length with a setback between. At its end a turn is expected. Equal legs occur by chance quite often.',
    related: ['gartley', 'threedrives'],
  }),
  gartley: harmonic({
    title: 'Gartley',
    description:
      'Five points with fixed Fibonacci ratios; the last lies at 78.6 percent of the first leg. A turn is expected there. With tolerances wide enough, any swing fits some pattern.',
    related: ['bat', 'butterfly', 'abcd'],
  }),
  bat: harmonic({
    title: 'Bat',
    description:
      'Five points like a Gartley whose last lies at 88.6 percent of the first leg. It needs a deeper return and a closer stop.',
    related: ['altbat', 'gartley'],
  }),
  altbat: harmonic({
    title: 'Alternate Bat',
    description:
      'A bat whose last point lies beyond the start of the first leg, at 113 percent. It catches failed bats. Of all these patterns its second point has the narrowest place, 0.382 with a tolerance that is a share of it, so noise hides it more often than the others.',
    related: ['bat'],
  }),
  butterfly: harmonic({
    title: 'Butterfly',
    description:
      'Five points whose last lies beyond the first leg, at 127 to 141 percent of it. It looks for turns at new extremes.',
    related: ['crab', 'gartley'],
  }),
  crab: harmonic({
    title: 'Crab',
    description:
      'Five points whose last lies at 161.8 percent of the first leg. It is the most stretched of the common ones.',
    related: ['deepcrab', 'butterfly'],
  }),
  deepcrab: harmonic({
    title: 'Deep Crab',
    description:
      'A crab whose second point lies deep, at 88.6 percent of the first leg. A turn is expected at 161.8 percent. Few markets make one.',
    related: ['crab'],
  }),
  shark: harmonic({
    title: 'Shark',
    description:
      "Five points with an expansion beyond the start, after Carney's later work. Its turn is said to be short.",
    related: ['cypher', 'crab'],
  }),
  cypher: harmonic({
    title: 'Cypher',
    description:
      'Five points in which the third passes the first leg, to 127.2 to 141.4 percent of it, and the last lies at 78.6 percent of the way back to the start. Rare with tight tolerances.',
    related: ['shark', 'gartley'],
  }),
  threedrives: harmonic({
    title: 'Three Drives',
    description:
      'Three pushes in one direction with equal ratios of steps and setbacks. A turn is expected after the third. It resembles a rising or falling wedge.',
    related: ['abcd', 'wedgerising'],
  }),
  wolfewave: harmonic({
    title: 'Wolfe Wave',
    description:
      'Five points in a narrowing wedge, of which the last passes the line of the first and third. A line from the first and fourth gives the target. It must be symmetric in time.',
    related: ['wedgefalling', 'threedrives'],
  }),
} satisfies Record<string, Indicator>
