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
} from '../define.js'
import { exponentialState } from '../exponential-average.js'
import { swingLookback, swingSpans } from '../pivots.js'

/** Size of a list of zones in a kernel's state in numbers: `Zones.size` in assembly/parts/swings/zones.ts. */
const zonesState = 3 + 4 * 16

/** Numbers of state of a swing: `Swing.size` in assembly/parts/swings/order-blocks.ts. */
const swingState = 10

/** The smallest gap, in ATRs. */
const gapSize = { minGapATR: factor(0.5, 0, 100), atrPeriod: period(14, 1) }
const bounds = [sparse('top'), sparse('bottom')]

/** An output of the trailing stop, which needs its averages. */
const averaged = <const Name extends string>(name: Name) =>
  startingAfter((p: Numbers<'smoothing'>) => p.smoothing - 1, sparse(name))

export const priceZones = {
  fvg: indicator({
    title: 'Fair value gap',
    description:
      'A gap between the first and the third of three candles that the middle one left behind, at least half of an average true range wide unless `minGapATR` says otherwise. Prices are said to return to such gaps. Between a fifth and a third of the candles of a random walk leave a gap of any size.',
    related: ['ifvg', 'volumeimbalance', 'openinggap'],
    otherNames: ['Fair value gap', 'FVG detection'],
    inputs: ['high', 'low', 'close'],
    params: gapSize,
    outputs: [signal('value'), ...bounds, 'openGaps'],
    degree: { openGaps: [0, 0] },
    lookback: p => Math.max(2, p.atrPeriod),
    state: exponentialState + zonesState,
    scratch: 1,
    memory: 'whole',
    overlay: true,
  }),
  ifvg: indicator({
    title: 'Inverse fair value gap',
    description:
      'A fair value gap that was closed through and is now expected to hold from the other side. It needs two events in turn, so it comes late and seldom.',
    related: ['fvg', 'breakerblocks'],
    inputs: ['high', 'low', 'close'],
    params: gapSize,
    outputs: [signal('value'), ...bounds],
    lookback: p => Math.max(2, p.atrPeriod),
    state: exponentialState + 2 * zonesState,
    scratch: 1,
    memory: 'whole',
    overlay: true,
  }),
  volumeimbalance: indicator({
    title: 'Volume imbalance',
    description:
      'A gap between two bodies over which shadows reach. It is a weaker form of gap that prices may return to. It occurs often.',
    related: ['fvg', 'openinggap'],
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value'), ...bounds],
    lookback: 1,
    state: zonesState,
    memory: 'whole',
    overlay: true,
  }),
  openinggap: indicator({
    title: 'Opening gap',
    description:
      'The gap between the open of a day or week and the close before, and whether it has been filled. Gaps in shares are often filled on the same day. Markets that trade all day have none.',
    related: ['fvg', 'sessions'],
    inputs: ['open', 'high', 'low', 'close', 'timestamp'],
    params: { anchor: choice('day', 'week') },
    outputs: [signal('value'), ...bounds, flags('filled')],
    lookback: 1,
    state: 4,
    memory: 'whole',
    overlay: true,
  }),
  fvgtrailingstop: indicator({
    title: 'Fair Value Gap Trailing Stop',
    description:
      'A trailing stop from the averages of unfilled fair value gaps. It follows trends that leave gaps. Quiet trends leave none.',
    related: ['fvg', 'atrtrailingstop'],
    tier: 2,
    inputs: ['high', 'low', 'close'],
    params: { lookback: integer(5, 1, 100), smoothing: period(9, 1), resetOnCross: flag(false) },
    outputs: [averaged('upper'), averaged('lower'), averaged('upperStop'), averaged('lowerStop')],
    lookback: p => Math.max(2, p.smoothing - 1),
    // `Trail` of the kernel, `GapLevels` of the kernels twice, and the values that are smoothed.
    state: p => 3 + 2 * (2 + p.lookback) + 2 * p.smoothing,
    scratch: 2,
    memory: 'whole',
    overlay: true,
    drawing: [
      { kind: 'line', outputs: ['upperStop'], colour: 'down' },
      { kind: 'line', outputs: ['lowerStop'], colour: 'up' },
    ],
  }),
  orderblocks: indicator({
    title: 'Order blocks',
    description:
      'The last candle against a move that broke structure, kept as a zone until it is traded through. Returns to it are used for entries. There are many definitions; results depend on them.',
    related: ['breakerblocks', 'mitigationblocks', 'bos'],
    inputs: ['open', 'high', 'low', 'close', 'volume'],
    params: swingSpans,
    outputs: [signal('value'), ...bounds, sparse('volume')],
    degree: { volume: [0, 1] },
    lookback: swingLookback,
    state: 2 * swingState + zonesState,
    memory: 'whole',
    overlay: true,
    drawing: [{ kind: 'zone', outputs: ['top', 'bottom'], colouredBy: 'value', fromPrice: true }],
  }),
  breakerblocks: indicator({
    title: 'Breaker blocks',
    description:
      'An order block that failed, which then is watched from the other side. It is a form of the old rule that support becomes resistance.',
    related: ['orderblocks', 'mitigationblocks'],
    inputs: ['open', 'high', 'low', 'close', 'volume'],
    params: swingSpans,
    outputs: [signal('value'), ...bounds],
    lookback: swingLookback,
    state: 2 * swingState + 2 * zonesState,
    memory: 'whole',
    overlay: true,
    drawing: [{ kind: 'zone', outputs: ['top', 'bottom'], colouredBy: 'value', fromPrice: true }],
  }),
  mitigationblocks: indicator({
    title: 'Mitigation blocks',
    description:
      'An order block whose move began without a new extreme: the price failed to pass the last swing, turned, and broke structure. A return to it is traded like one to an order block. Whether the last swing was passed depends on the swing settings.',
    related: ['breakerblocks', 'orderblocks'],
    inputs: ['open', 'high', 'low', 'close', 'volume'],
    params: swingSpans,
    outputs: [signal('value'), ...bounds],
    lookback: swingLookback,
    state: 2 * swingState + zonesState,
    memory: 'whole',
    overlay: true,
    drawing: [{ kind: 'zone', outputs: ['top', 'bottom'], colouredBy: 'value', fromPrice: true }],
  }),
  rejectionblocks: indicator({
    title: 'Rejection blocks',
    description:
      'Zones of long shadows at swings, where prices were turned back. A return tests them. Long shadows are common in thin markets.',
    related: ['liquiditysweeps', 'pinbar'],
    inputs: ['open', 'high', 'low', 'close'],
    params: { ...swingSpans, wickRatio: factor(0.6, 0, 1) },
    outputs: [signal('value'), ...bounds],
    lookback: swingLookback,
    state: zonesState,
    memory: 'whole',
    overlay: true,
  }),
  supportresistance: indicator({
    title: 'Support and resistance with breaks',
    description:
      'The newest confirmed swing high as resistance and the newest swing low as support, and the closes that break them on rising volume. Levels are known only some candles after the swing.',
    related: ['swings', 'trendlines'],
    inputs: ['high', 'low', 'close', 'volume'],
    params: { ...swingSpans, volumeThreshold: factor(20, -100, 1000) },
    outputs: [
      startingAfter(p => (p.swingLeft ?? 0) + (p.swingRight ?? 0), sparse('support')),
      startingAfter(p => (p.swingLeft ?? 0) + (p.swingRight ?? 0), sparse('resistance')),
      signal('breakValue'),
    ],
    // The slow average of the volume has its first value at the tenth candle.
    lookback: p => Math.max(p.swingLeft + p.swingRight, 9),
    state: 2 + 2 * exponentialState,
    scratch: 2,
    memory: 'whole',
    overlay: true,
  }),
}
