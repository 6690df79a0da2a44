import {
  choice,
  factor,
  flag,
  flags,
  indicator,
  integer,
  type Numbers,
  period,
  signal,
  sparse,
  startingAfter,
} from './define.js'

/** Numbers that a list of zones takes in a kernel's state: `Zones.size` in assembly/parts/swings/zones.ts. */
const zonesState = 3 + 4 * 16

/** Numbers of state of a swing: `Swing.size` in assembly/parts/swings/order-blocks.ts. */
const swingState = 10

/** The spans of a swing, of which both together come before the first value. */
const swingSpans = { swingLeft: period(5, 1, 200), swingRight: period(5, 1, 200) }
const swingLookback = (p: { readonly swingLeft: number; readonly swingRight: number }) =>
  p.swingLeft + p.swingRight

/** The smallest gap, in ATRs. */
const gapSize = { minGapATR: factor(0.5, 0, 100), atrPeriod: period(14, 1) }

const bounds = [sparse('top'), sparse('bottom')]

/** Zones, levels, ranges and sessions: members of the category Market Structure. */
/** An output of the trailing stop, which needs its averages. */
const averaged = <const Name extends string>(name: Name) =>
  startingAfter((p: Numbers<'smoothing'>) => p.smoothing - 1, sparse(name))

export const structureZones = {
  fvg: indicator({
    title: 'Fair value gap',
    inputs: ['high', 'low', 'close'],
    params: gapSize,
    outputs: [signal('value'), ...bounds, 'openGaps'],
    degree: { openGaps: [0, 0] },
    lookback: p => Math.max(2, p.atrPeriod),
    state: 1 + zonesState,
    scratch: 1,
    memory: 'whole',
    overlay: true,
  }),
  ifvg: indicator({
    title: 'Inverse fair value gap',
    inputs: ['high', 'low', 'close'],
    params: gapSize,
    outputs: [signal('value'), ...bounds],
    lookback: p => Math.max(2, p.atrPeriod),
    state: 1 + 2 * zonesState,
    scratch: 1,
    memory: 'whole',
    overlay: true,
  }),
  orderblocks: indicator({
    title: 'Order blocks',
    inputs: ['open', 'high', 'low', 'close', 'volume'],
    params: swingSpans,
    outputs: [signal('value'), ...bounds, sparse('volume')],
    degree: { volume: [0, 1] },
    lookback: swingLookback,
    state: 2 * swingState + zonesState,
    memory: 'whole',
    overlay: true,
  }),
  breakerblocks: indicator({
    title: 'Breaker blocks',
    inputs: ['open', 'high', 'low', 'close', 'volume'],
    params: swingSpans,
    outputs: [signal('value'), ...bounds],
    lookback: swingLookback,
    state: 2 * swingState + 2 * zonesState,
    memory: 'whole',
    overlay: true,
  }),
  mitigationblocks: indicator({
    title: 'Mitigation blocks',
    inputs: ['open', 'high', 'low', 'close', 'volume'],
    params: swingSpans,
    outputs: [signal('value'), ...bounds],
    lookback: swingLookback,
    state: 2 * swingState + zonesState,
    memory: 'whole',
    overlay: true,
  }),
  rejectionblocks: indicator({
    title: 'Rejection blocks',
    inputs: ['open', 'high', 'low', 'close'],
    params: { ...swingSpans, wickRatio: factor(0.6, 0, 1) },
    outputs: [signal('value'), ...bounds],
    lookback: swingLookback,
    state: zonesState,
    memory: 'whole',
    overlay: true,
  }),
  volumeimbalance: indicator({
    title: 'Volume imbalance',
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value'), ...bounds],
    lookback: 1,
    state: zonesState,
    memory: 'whole',
    overlay: true,
  }),
  openinggap: indicator({
    title: 'Opening gap',
    inputs: ['open', 'high', 'low', 'close', 'timestamp'],
    params: { anchor: choice('day', 'week') },
    outputs: [signal('value'), ...bounds, flags('filled')],
    lookback: 1,
    state: 4,
    memory: 'whole',
    overlay: true,
  }),
  previoushighlow: indicator({
    title: 'Previous high and low',
    inputs: ['high', 'low', 'timestamp'],
    params: { anchor: choice('day', 'week', 'month') },
    outputs: [sparse('high'), sparse('low'), flags('brokenHigh'), flags('brokenLow')],
    lookback: 0,
    // `Span` of the kernel.
    state: 8,
    memory: 'whole',
    overlay: true,
  }),
  sessions: indicator({
    title: 'Session range',
    inputs: ['high', 'low', 'timestamp'],
    params: { session: { ...choice('asia', 'london', 'newyork'), default: 'london' } },
    outputs: [flags('active'), sparse('high'), sparse('low')],
    lookback: 0,
    state: 3,
    memory: 'whole',
    overlay: true,
  }),
  supportresistance: indicator({
    title: 'Support and resistance with breaks',
    inputs: ['high', 'low', 'close', 'volume'],
    params: { ...swingSpans, volumeThreshold: factor(20, -100, 1000) },
    outputs: [
      startingAfter(p => (p.swingLeft ?? 0) + (p.swingRight ?? 0), sparse('support')),
      startingAfter(p => (p.swingLeft ?? 0) + (p.swingRight ?? 0), sparse('resistance')),
      signal('breakValue'),
    ],
    // The slow average of the volume has its first value at the tenth candle.
    lookback: p => Math.max(p.swingLeft + p.swingRight, 9),
    state: 4,
    scratch: 2,
    memory: 'whole',
    overlay: true,
  }),
  trendlines: indicator({
    title: 'Automatic trendlines',
    inputs: ['high', 'low', 'close'],
    params: swingSpans,
    outputs: [sparse('upper'), sparse('lower'), signal('breakValue')],
    lookback: swingLookback,
    // Two lines: `Line` of the kernel.
    state: 6,
    memory: 'whole',
    overlay: true,
  }),
  darvasbox: indicator({
    title: 'Darvas box',
    inputs: ['high', 'low', 'close'],
    params: { period: period(5, 3, 400) },
    outputs: [sparse('top'), sparse('bottom'), signal('breakValue')],
    lookback: p => 2 * p.period - 2,
    state: 2,
    memory: 'whole',
    overlay: true,
  }),
  consolidation: indicator({
    title: 'Consolidation range',
    inputs: ['high', 'low', 'close'],
    params: { period: period(20), widthATR: factor(2, 0, 100), atrPeriod: period(14, 1) },
    outputs: [flags('inside'), ...bounds, signal('breakValue')],
    lookback: p => Math.max(p.period - 1, p.atrPeriod),
    state: 3,
    scratch: 4,
    memory: 'whole',
    overlay: true,
  }),
  fvgtrailingstop: indicator({
    title: 'Fair Value Gap Trailing Stop',
    inputs: ['high', 'low', 'close'],
    params: { lookback: integer(5, 1, 100), smoothing: period(9, 1), resetOnCross: flag(false) },
    outputs: [averaged('upper'), averaged('lower'), averaged('upperStop'), averaged('lowerStop')],
    lookback: p => Math.max(2, p.smoothing - 1),
    // `Trail` of the kernel, `GapLevels` of the kernels twice, and the values that are smoothed.
    state: p => 3 + 2 * (2 + p.lookback) + 2 * p.smoothing,
    scratch: 2,
    memory: 'whole',
    overlay: true,
  }),
}
