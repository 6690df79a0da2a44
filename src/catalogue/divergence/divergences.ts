import type { About } from '../about.js'
import {
  atMost,
  choice,
  type Indicator,
  type Input,
  indicator,
  type Params,
  period,
  type Relation,
  signal,
  sparse,
  type Values,
} from '../define.js'
import { chaikinState, macdState, strengthState } from '../exponential-average.js'
import { exponential, type Keeps, wilder } from '../fading.js'

/** The parameters of the search, after those of the oscillator. */
const search = {
  pivotLeft: period(5, 1, 100),
  pivotRight: period(5, 1, 100),
  minSpan: period(5, 1),
  maxSpan: period(60, 1),
  source: choice('wick', 'close'),
}

const prices = ['high', 'low', 'close'] as const
const pricesAndVolume = [...prices, 'volume'] as const
interface Oscillator<P extends Params> extends About {
  /** High, low and close, which give pivots their price, and the other inputs of the oscillator. */
  readonly inputs: readonly [Input, ...Input[]]
  readonly params: P
  readonly relations?: readonly Relation<keyof P & string>[]
  /** Candles before its first value. */
  readonly lookback: (params: Values<P>) => number
  /** Numbers that it preserves between calls. */
  readonly state?: number
  /** Scratch columns in addition to the one for its values. */
  readonly scratch?: number
  /** Decay of the influence of its start; undefined if a value depends on its window only. */
  readonly keeps?: (params: Values<P>) => Keeps
  readonly memory?: 'whole'
}

/**
 * The divergences of an oscillator; assembly/parts/swings/divergence.ts defines the state in addition to the oscillator's
 * own.
 */
const divergenceOf = <const P extends Params>(divergence: Oscillator<P>) => {
  const { params, relations = [], lookback, state = 0, scratch = 0, keeps, memory, ...about } = divergence
  const tail = (p: Values<typeof search>) => p.pivotLeft + p.pivotRight
  return indicator({
    ...about,
    params: { ...params, ...search },
    relations: [...relations, atMost('minSpan', 'maxSpan')] as Relation<never>[],
    outputs: [signal('regular'), signal('hidden'), sparse('span')],
    drawing: [
      { kind: 'mark', outputs: ['regular'], behind: 'pivotRight', span: 'span' },
      { kind: 'mark', outputs: ['hidden'], behind: 'pivotRight', span: 'span', label: 'H' },
    ],
    lookback: p => lookback(p as Values<P>) + tail(p as Values<typeof search>),
    state: p => state + 6 + tail(p as Values<typeof search>),
    scratch: 1 + scratch,
    memory: memory ?? {
      fading: p => keeps?.(p as Values<P>) ?? [],
      // The older of two pivots, and the candles around it.
      window: p => (p as Values<typeof search>).maxSpan + tail(p as Values<typeof search>),
    },
  })
}

export const divergences = {
  rsidivergence: divergenceOf({
    title: 'RSI divergence',
    description:
      'Compares swings of the price with those of the RSI. A lower low in price with a higher one in the RSI is a regular divergence, which warns of a turn; a hidden one supports the trend. Divergences repeat several times in strong trends before a turn.',
    related: ['rsi', 'macddivergence', 'stochdivergence'],
    inputs: prices,
    params: { period: period(14) },
    lookback: p => p.period,
    state: strengthState,
    keeps: p => [wilder(p.period)],
  }),
  macddivergence: divergenceOf({
    title: 'MACD histogram divergence',
    description:
      'Looks for swings of price that the MACD histogram does not confirm. It is the classic form of divergence. The histogram fades in every slow trend, which gives many of them.',
    related: ['macd', 'rsidivergence'],
    inputs: prices,
    params: {
      fastPeriod: period(12, 2, 300),
      slowPeriod: period(26, 2, 300),
      signalPeriod: period(9, 1, 300),
    },
    lookback: p => Math.max(p.fastPeriod, p.slowPeriod) + p.signalPeriod - 2,
    state: macdState,
    keeps: p => [exponential(p.fastPeriod), exponential(p.slowPeriod), exponential(p.signalPeriod)],
    scratch: 2,
  }),
  stochdivergence: divergenceOf({
    title: 'Stochastic %K divergence',
    description:
      'Divergences between price and the stochastic. The stochastic is often at its limits, where small differences mean little.',
    related: ['stoch', 'rsidivergence'],
    inputs: prices,
    params: { kPeriod: period(14, 1, 300), kSmooth: period(3, 1, 300) },
    lookback: p => p.kPeriod + p.kSmooth - 2,
    scratch: 4,
  }),
  ccidivergence: divergenceOf({
    title: 'CCI divergence',
    description:
      'Divergences between price and the CCI. As the CCI is unbounded, its peaks differ clearly. It is also the noisier partner.',
    related: ['cci', 'rsidivergence'],
    inputs: prices,
    params: { period: period(20) },
    lookback: p => p.period - 1,
    scratch: 2,
  }),
  mfidivergence: divergenceOf({
    title: 'Money Flow Index divergence',
    description:
      'Divergences between price and money flow: a new extreme of price with less money behind it. Its worth is that of the volume data.',
    related: ['mfi', 'obvdivergence'],
    inputs: pricesAndVolume,
    params: { period: period(14) },
    lookback: p => p.period,
    scratch: 4,
  }),
  obvdivergence: divergenceOf({
    title: 'On Balance Volume divergence',
    description:
      'Divergences between price and on-balance volume. They are meant to show moves without buyers behind them. The line is a sum, so single volumes change its swings.',
    related: ['obv', 'adoscdivergence'],
    inputs: pricesAndVolume,
    params: {},
    lookback: () => 0,
    state: 2,
    memory: 'whole',
  }),
  aodivergence: divergenceOf({
    title: 'Awesome Oscillator divergence',
    description:
      "Divergences between price and the Awesome Oscillator, one of Williams' own signals. The oscillator is slow, so few but late ones are found.",
    related: ['ao', 'macddivergence'],
    inputs: prices,
    params: {},
    lookback: () => 33,
    scratch: 2,
  }),
  momdivergence: divergenceOf({
    title: 'Momentum divergence',
    description:
      'Divergences between price and plain momentum: a new extreme that was reached more slowly than the last one. Momentum peaks early in each move, so most trends show several before they end.',
    related: ['mom', 'rsidivergence'],
    inputs: prices,
    params: { period: period(10, 1) },
    lookback: p => p.period,
  }),
  cmfdivergence: divergenceOf({
    title: 'Chaikin Money Flow divergence',
    description:
      "Divergences between price and Chaikin's money flow: a new extreme of price whose candles close less well in their ranges. They are read as moves that lose support. The flow depends on closes alone, so gaps escape it.",
    related: ['cmf', 'adoscdivergence'],
    inputs: pricesAndVolume,
    params: { period: period(20, 1) },
    lookback: p => p.period - 1,
    scratch: 3,
  }),
  adoscdivergence: divergenceOf({
    title: 'Chaikin A/D Oscillator divergence',
    description:
      'Divergences between price and the Chaikin oscillator. They are read as a change in buying or selling before the price turns. The oscillator swings fast, so many of them announce only short moves.',
    related: ['adosc', 'cmfdivergence'],
    inputs: pricesAndVolume,
    params: { fastPeriod: period(3), slowPeriod: period(10) },
    relations: [atMost('fastPeriod', 'slowPeriod')],
    lookback: p => p.slowPeriod - 1,
    state: chaikinState,
    keeps: p => [exponential(p.fastPeriod), exponential(p.slowPeriod)],
  }),
  willrdivergence: divergenceOf({
    title: 'Williams %R divergence',
    description:
      "Divergences between price and Williams' %R: a new extreme of price that closes less near the end of the range. As %R is not smoothed, they are frequent and short-lived.",
    related: ['willr', 'stochdivergence'],
    inputs: prices,
    params: { period: period(14) },
    lookback: p => p.period - 1,
    scratch: 2,
  }),
  volumedivergence: divergenceOf({
    title: 'Volume divergence',
    description:
      'Divergences between price and the volume of each candle: a higher high at a lower peak of volume, or a lower low at a higher trough of it. Volume has no direction, so only those at highs show a move with less trading behind it.',
    related: ['volume', 'obvdivergence'],
    inputs: pricesAndVolume,
    params: {},
    lookback: () => 0,
  }),
} satisfies Record<string, Indicator>
