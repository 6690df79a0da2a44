import { atMost, choice, factor, indicator, period } from '../define.js'
import { exponentialState } from '../exponential-average.js'
import { exponential, wilder } from '../fading.js'

export const bandPositions = {
  bbw: indicator({
    title: 'Bollinger Bands Width',
    description:
      'The width of the Bollinger Bands as a share of the middle line. Very low values mark a squeeze before a larger move. How low is low depends on the market.',
    related: ['bbands', 'squeeze', 'keltnerwidth'],
    otherNames: ['Bollinger bandwidth', 'BBWidth'],
    namesElsewhere: { talib: 'BBW (development)', ta4j: 'BollingerBandWidth', taapi: 'bbw' },
    inputs: ['close'],
    params: { period: period(20), stddev: factor(2, -3e37, 3e37) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 2,
    memory: 'finite',
  }),
  percentb: indicator({
    title: 'Percent B (Bollinger Bands)',
    description:
      'The position of the price within the Bollinger Bands: 0 at the lower, 1 at the upper one. It turns the picture of the bands into a number for rules. In trends it stays near an end.',
    related: ['bbands', 'bbw'],
    otherNames: ['%B', 'BBP percent'],
    namesElsewhere: { talib: 'PERCENTB (development)', skender: 'BollingerBands', ta4j: 'PercentB' },
    inputs: ['close'],
    params: { period: period(20), stddev: factor(2, 0.01, 100) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 2,
    memory: 'finite',
    // Bollinger, as TradingView draws them.
    scale: { levels: [0, 0.5, 1] },
  }),
  keltnerwidth: indicator({
    title: 'Keltner Channel Width',
    description:
      'The width of the Keltner Channels relative to the middle line. It shows whether the market is wide or narrow. It moves slower than the Bollinger width.',
    related: ['keltnerchannels', 'bbw'],
    tier: 3,
    inputs: ['high', 'low', 'close'],
    params: { period: period(20, 1), multiplier: factor(2, 0, 100), atrLength: period(10, 1) },
    outputs: ['value'],
    lookback: p => Math.max(p.period - 1, p.atrLength),
    state: 2 * exponentialState,
    scratch: 1,
    memory: { fading: p => [Math.max(exponential(p.period), wilder(p.atrLength))] },
  }),
  projectionosc: indicator({
    title: 'Projection Oscillator',
    description:
      'The position of the close between the projection bands, in percent. It is a stochastic that allows for the slope. Crossings of its signal line follow short turns.',
    related: ['projectionbands', 'stoch'],
    otherNames: ['POSC', 'PO'],
    namesElsewhere: { tulip: 'posc (beta)' },
    inputs: ['high', 'low', 'close'],
    params: { period: period(14, 2, 200), smoothPeriod: period(1, 1), slope: choice('highlow', 'close') },
    outputs: ['value'],
    lookback: p => p.period - 1,
    state: 2,
    scratch: 2,
    memory: { fading: p => [exponential(p.smoothPeriod)] },
    scale: { minimum: 0, maximum: 100, levels: [] },
  }),
  bbtrend: indicator({
    title: 'BBTrend',
    description:
      'Compares a short with a long pair of Bollinger Bands: positive where the short band pushes up. It tells strength and direction at once. Lengths must differ much.',
    related: ['bbands', 'bbw'],
    tier: 2,
    inputs: ['close'],
    params: { shortPeriod: period(20), longPeriod: period(50), stddev: factor(2, 0, 100) },
    relations: [atMost('shortPeriod', 'longPeriod')],
    outputs: ['value'],
    lookback: p => p.longPeriod - 1,
    scratch: 4,
    memory: 'finite',
    scale: { levels: [0] },
  }),
  pricedistance: indicator({
    title: 'Price Distance',
    description:
      'The way that price travels in a candle beyond its net change, gaps included. Large distances without progress show that neither side wins. It has no direction.',
    related: ['tr'],
    namesElsewhere: { pandasta: 'pdist' },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: ['value'],
    degree: [1, 0],
    lookback: 1,
    memory: 'finite',
  }),
}
