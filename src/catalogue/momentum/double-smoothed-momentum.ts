import { atMost, indicator, type Numbers, period, startingAfter } from '../define.js'
import { exponentialState, trueStrengthState } from '../exponential-average.js'
import { exponential } from '../fading.js'

export const doubleSmoothedMomentum = {
  tsi: indicator({
    title: 'True Strength Index',
    description:
      'A double-smoothed change of the price divided by the double-smoothed absolute change, from −100 to 100, with a signal line. It is smooth and still turns early. Its two long averages need a good part of history before values settle.',
    related: ['smiergodic', 'dti', 'macd'],
    namesElsewhere: {
      talib: 'TSI (development)',
      tulip: 'tsi (beta)',
      pandasta: 'tsi',
      skender: 'TSI',
      ta4j: 'TrueStrengthIndex',
      lean: 'TrueStrengthIndex',
    },
    inputs: ['close'],
    params: {
      longPeriod: period(25, 1, 400),
      shortPeriod: period(13, 1, 300),
      signalPeriod: period(13, 1, 250),
    },
    relations: [atMost('shortPeriod', 'longPeriod')],
    outputs: [
      startingAfter((p: Numbers<'longPeriod' | 'shortPeriod'>) => p.longPeriod + p.shortPeriod - 1, 'value'),
      'signal',
    ],
    lookback: p => p.longPeriod + p.shortPeriod + p.signalPeriod - 2,
    state: trueStrengthState,
    memory: {
      fading: p => [exponential(p.longPeriod), exponential(p.shortPeriod), exponential(p.signalPeriod)],
    },
    // Blau, Momentum, Direction and Divergence (1995).
    scale: { minimum: -100, maximum: 100, levels: [-25, 0, 25] },
  }),
  smiergodic: indicator({
    title: 'SMI Ergodic Indicator',
    description:
      "The True Strength Index with Blau's shorter lengths, its signal line and the difference of both. It follows short swings closely. In quiet markets the difference changes sign nearly every candle.",
    related: ['tsi', 'macd'],
    otherNames: ['SMIE', 'Ergodic oscillator'],
    namesElsewhere: { pandasta: 'smi' },
    inputs: ['close'],
    params: {
      longPeriod: period(20, 1, 400),
      shortPeriod: period(5, 1, 300),
      signalPeriod: period(5, 1, 250),
    },
    relations: [atMost('shortPeriod', 'longPeriod')],
    outputs: [
      startingAfter((p: Numbers<'longPeriod' | 'shortPeriod'>) => p.longPeriod + p.shortPeriod - 1, 'value'),
      'signal',
      'oscillator',
    ],
    lookback: p => p.longPeriod + p.shortPeriod + p.signalPeriod - 2,
    state: trueStrengthState,
    memory: {
      fading: p => [exponential(p.longPeriod), exponential(p.shortPeriod), exponential(p.signalPeriod)],
    },
    // The difference of two lines from −1 to 1 may be twice as large.
    scale: { minimum: -2, maximum: 2, levels: [0] },
    drawing: [
      { kind: 'histogram', outputs: ['oscillator'], colouring: 'sign' },
      { kind: 'line', outputs: ['value'], colour: 1 },
      { kind: 'line', outputs: ['signal'], colour: 2 },
    ],
  }),
  smi: indicator({
    title: 'Stochastic Momentum Index',
    description:
      'The distance of the close from the middle of the range, double-smoothed, as a share of half the range: −100 to 100. It is a calmer stochastic that is centred on zero. The smoothing costs some candles at turns.',
    related: ['stoch', 'tsi', 'dssbressert'],
    namesElsewhere: { talib: 'SMI (development)', tulip: 'smi (beta)', pandasta: 'smi°', skender: 'SMI' },
    inputs: ['high', 'low', 'close'],
    params: {
      period: period(13),
      firstSmooth: period(25, 1),
      secondSmooth: period(2, 1),
      signalPeriod: period(3, 1),
    },
    outputs: ['value', 'signal'],
    lookback: p => p.period - 1,
    state: 8 + exponentialState,
    scratch: 2,
    memory: {
      fading: p => [exponential(p.firstSmooth), exponential(p.secondSmooth), exponential(p.signalPeriod)],
    },
    // Blau, Stochastic Momentum, Stocks & Commodities (January 1993), as TradingView draws them.
    scale: { minimum: -100, maximum: 100, levels: [-40, 0, 40] },
  }),
}
