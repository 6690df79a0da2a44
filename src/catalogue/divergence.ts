import type { Indicator, Input, Params, Relation, Values } from './define.js'
import { atMost, choice, indicator, period, signal, sparse } from './define.js'

/** The parameters of the search, which follow those of the oscillator. */
const search = {
  pivotLeft: period(5, 1, 100),
  pivotRight: period(5, 1, 100),
  minSpan: period(5, 1),
  maxSpan: period(60, 1),
  source: choice('wick', 'close'),
}

const prices = ['high', 'low', 'close'] as const
const pricesAndVolume = [...prices, 'volume'] as const

interface Oscillator<P extends Params> {
  readonly title: string
  /** High, low and close, from which pivots take their price, and what else the oscillator needs. */
  readonly inputs: readonly [Input, ...Input[]]
  readonly params: P
  readonly relations?: readonly Relation<keyof P & string>[]
  /** Candles before its first value. */
  readonly lookback: (params: Values<P>) => number
  /** Numbers that it preserves between calls. */
  readonly state?: number
  /** Scratch columns it needs besides the one for its values. */
  readonly scratch?: number
  readonly memory?: 'whole'
}

/** The divergences of an oscillator; assembly/parts/swings/divergence.ts lays out the state beside the oscillator's own. */
const divergenceOf = <const P extends Params>(oscillator: Oscillator<P>) => {
  const tail = (p: Values<typeof search>) => p.pivotLeft + p.pivotRight
  return indicator({
    title: oscillator.title,
    inputs: oscillator.inputs,
    params: { ...oscillator.params, ...search },
    relations: [...(oscillator.relations ?? []), atMost('minSpan', 'maxSpan')] as Relation<never>[],
    outputs: [signal('regular'), signal('hidden'), sparse('span')],
    lookback: p => oscillator.lookback(p as Values<P>) + tail(p as Values<typeof search>),
    state: p => (oscillator.state ?? 0) + 6 + tail(p as Values<typeof search>),
    scratch: 1 + (oscillator.scratch ?? 0),
    memory: oscillator.memory ?? 'fading',
  })
}

export const divergence = {
  rsidivergence: divergenceOf({
    title: 'RSI divergence',
    inputs: prices,
    params: { period: period(14) },
    lookback: p => p.period,
    state: 3,
  }),
  macddivergence: divergenceOf({
    title: 'MACD histogram divergence',
    inputs: prices,
    params: {
      fastPeriod: period(12, 2, 300),
      slowPeriod: period(26, 2, 300),
      signalPeriod: period(9, 1, 300),
    },
    lookback: p => Math.max(p.fastPeriod, p.slowPeriod) + p.signalPeriod - 2,
    state: 3,
    scratch: 2,
  }),
  stochdivergence: divergenceOf({
    title: 'Stochastic %K divergence',
    inputs: prices,
    params: { kPeriod: period(14, 1, 300), kSmooth: period(3, 1, 300) },
    lookback: p => p.kPeriod + p.kSmooth - 2,
    scratch: 4,
  }),
  ccidivergence: divergenceOf({
    title: 'CCI divergence',
    inputs: prices,
    params: { period: period(20) },
    lookback: p => p.period - 1,
    scratch: 2,
  }),
  mfidivergence: divergenceOf({
    title: 'Money Flow Index divergence',
    inputs: pricesAndVolume,
    params: { period: period(14) },
    lookback: p => p.period,
    scratch: 4,
  }),
  obvdivergence: divergenceOf({
    title: 'On Balance Volume divergence',
    inputs: pricesAndVolume,
    params: {},
    lookback: () => 0,
    state: 2,
    memory: 'whole',
  }),
  aodivergence: divergenceOf({
    title: 'Awesome Oscillator divergence',
    inputs: prices,
    params: {},
    lookback: () => 33,
    scratch: 3,
  }),
  momdivergence: divergenceOf({
    title: 'Momentum divergence',
    inputs: prices,
    params: { period: period(10, 1) },
    lookback: p => p.period,
  }),
  cmfdivergence: divergenceOf({
    title: 'Chaikin Money Flow divergence',
    inputs: pricesAndVolume,
    params: { period: period(20, 1) },
    lookback: p => p.period - 1,
    scratch: 3,
  }),
  adoscdivergence: divergenceOf({
    title: 'Chaikin A/D Oscillator divergence',
    inputs: pricesAndVolume,
    params: { fastPeriod: period(3), slowPeriod: period(10) },
    relations: [atMost('fastPeriod', 'slowPeriod')],
    lookback: p => p.slowPeriod - 1,
    state: 3,
  }),
  willrdivergence: divergenceOf({
    title: 'Williams %R divergence',
    inputs: prices,
    params: { period: period(14) },
    lookback: p => p.period - 1,
    scratch: 2,
  }),
  volumedivergence: divergenceOf({
    title: 'Volume divergence',
    inputs: pricesAndVolume,
    params: {},
    lookback: () => 0,
  }),
} satisfies Record<string, Indicator>
