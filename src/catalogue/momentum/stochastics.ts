import { averageKeeps, averageLookback, averageState } from '../average.js'
import {
  follows,
  followsUnlessGiven,
  indicator,
  maType,
  type Numbers,
  period,
  startingAfter,
} from '../define.js'
import { exponentialState, strengthState } from '../exponential-average.js'
import { exponential, times, wilder } from '../fading.js'

export const stochastics = {
  stoch: indicator({
    title: 'Stochastic',
    description:
      'Shows where the close lies between the lowest low and the highest high of a window, in percent, smoothed as K and once more as D. Values above 80 and below 20 mark the ends of the range, and crossings of K and D its turns. A trend keeps it at one end, where every crossing is a false alarm.',
    related: ['stochf', 'stochrsi', 'kdj', 'willr', 'smi'],
    namesElsewhere: {
      talib: 'STOCH',
      tulip: 'stoch',
      pandasta: 'stoch',
      skender: 'STOCH',
      ta4j: 'Stochastic',
      lean: 'Stochastic',
      taapi: 'stoch',
    },
    inputs: ['high', 'low', 'close'],
    params: { kPeriod: period(5, 1, 300), dPeriod: period(3, 1, 300), kSmooth: period(3, 1, 300) },
    outputs: ['valueK', 'valueD'],
    lookback: p => p.kPeriod + p.kSmooth + p.dPeriod - 3,
    scratch: 3,
    memory: 'finite',
    // Lane's levels, as TradingView draws them.
    scale: { minimum: 0, maximum: 100, levels: [20, 80] },
  }),
  stochf: indicator({
    title: 'Stochastic Fast',
    description:
      'The stochastic without the first smoothing: K is the raw place of the close in the range of the window and D its average. It reacts at once, and so it is restless; most people use the smoothed form.',
    related: ['stoch', 'willr', 'stochrsi'],
    namesElsewhere: { talib: 'STOCHF', pandasta: 'stochf', taapi: 'stochf' },
    inputs: ['high', 'low', 'close'],
    params: { fastKPeriod: period(5, 1, 300), fastDPeriod: period(3, 1, 100), fastDMAType: maType() },
    outputs: ['valueFastK', 'valueFastD'],
    lookback: p => p.fastKPeriod - 1 + averageLookback(p.fastDMAType, p.fastDPeriod),
    state: p => averageState(p.fastDMAType, p.fastDPeriod),
    scratch: 4,
    memory: { fading: p => averageKeeps(p.fastDMAType, p.fastDPeriod) },
    // Lane's levels, as TradingView draws them. Averages that run ahead, such as DEMA, may pass 0 and 100.
    scale: { levels: [20, 80] },
  }),
  stochrsi: indicator({
    title: 'StochRSI – Stochastic Relative Strength Index',
    description:
      'Applies the stochastic to the values of the RSI instead of the price: where the RSI lies between its own extremes of late. It reaches 0 and 100 far more often than the RSI and finds short swings. In return it says nothing about how large a move was.',
    related: ['rsi', 'stoch', 'connorsrsi'],
    otherNames: ['Stochastic RSI'],
    namesElsewhere: {
      talib: 'STOCHRSI',
      tulip: 'stochrsi',
      pandasta: 'stochrsi',
      skender: 'STOCH-RSI',
      ta4j: 'StochasticRSI',
      lean: 'StochasticRelativeStrengthIndex',
      taapi: 'stochrsi',
    },
    inputs: ['close'],
    params: {
      kPeriod: period(5, 1, 250),
      dPeriod: period(3, 1, 250),
      rsiPeriod: period(14, 2, 250),
      stochasticPeriod: period(14, 1, 250),
    },
    outputs: ['valueFastK', 'valueFastD'],
    lookback: p => p.rsiPeriod + p.stochasticPeriod + p.kPeriod + p.dPeriod - 3,
    state: p => strengthState + p.stochasticPeriod + p.kPeriod + p.dPeriod - 3,
    scratch: 4,
    memory: { fading: p => [wilder(p.rsiPeriod)] },
    // Chande and Kroll, The New Technical Trader (1994).
    scale: { minimum: 0, maximum: 100, levels: [20, 80] },
  }),
  kdj: indicator({
    title: 'KDJ',
    description:
      'The stochastic with a third line J = 3K − 2D, which runs ahead of the other two and may leave the range of 0 to 100. Traders look for J beyond 100 or below 0 and for the three lines crossing. J exaggerates noise as much as it exaggerates turns.',
    related: ['stoch', 'stochf', 'rci'],
    namesElsewhere: { talib: 'KDJ (development)', pandasta: 'kdj', taapi: 'kdj' },
    inputs: ['high', 'low', 'close'],
    params: {
      period: period(9, 1, 300),
      signal: period(3, 1, 300),
      kPeriod: follows('period', period(9, 1, 300)),
      dPeriod: followsUnlessGiven('period', 'signal', period(9, 1, 300)),
      kSmooth: follows('signal', period(3, 1, 300)),
    },
    outputs: [
      startingAfter((p: Numbers<'kPeriod' | 'kSmooth'>) => p.kPeriod + p.kSmooth - 2, 'valueK'),
      'valueD',
      'valueJ',
    ],
    lookback: p => p.kPeriod + p.kSmooth + (p.dPeriod === p.period ? p.signal : p.dPeriod) - 3,
    state: 2 * exponentialState,
    scratch: 2,
    memory: { fading: p => [wilder(p.kSmooth), wilder(p.dPeriod === p.period ? p.signal : p.dPeriod)] },
    // those of the stochastic.
    scale: { levels: [20, 80] },
  }),
  willr: indicator({
    title: 'Williams’ %R',
    description:
      'The position of the close between the highest high and the lowest low of a window, from −100 to 0. Above −20 it closes near the high, below −80 near the low. It is the raw stochastic turned around and just as restless.',
    related: ['stochf', 'stoch', 'willrdivergence'],
    otherNames: ['%R', 'Williams percent range', 'WPR'],
    namesElsewhere: {
      talib: 'WILLR',
      tulip: 'willr',
      pandasta: 'willr',
      skender: 'WILLR',
      ta4j: 'WilliamsR',
      lean: 'WilliamsPercentR',
      taapi: 'willr',
    },
    inputs: ['high', 'low', 'close'],
    params: { period: period(14) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 2,
    memory: 'finite',
    // Williams, as TradingView draws them.
    scale: { minimum: -100, maximum: 0, levels: [-80, -20] },
  }),
  premierstoch: indicator({
    title: 'Premier Stochastic Oscillator',
    description:
      'A stochastic that is smoothed twice and then squeezed into −1 to 1. Values beyond ±0.9 and the return below them are the usual signals. Its form makes turns look sharper than they are.',
    related: ['stoch', 'fisher', 'smi'],
    otherNames: ['PSO'],
    namesElsewhere: { talib: 'PSO (development)', lean: 'PremierStochasticOscillator' },
    inputs: ['high', 'low', 'close'],
    params: { period: period(8), smoothPeriod: period(5, 1, 200) },
    outputs: ['value'],
    lookback: p => p.period + 2 * p.smoothPeriod - 3,
    state: 4,
    scratch: 2,
    memory: { fading: p => times(2, exponential(p.smoothPeriod)) },
    // Leibfarth, Premier Stochastic Oscillator, Stocks & Commodities (August 2008).
    scale: { minimum: -1, maximum: 1, levels: [-0.9, -0.2, 0, 0.2, 0.9] },
  }),
  dssbressert: indicator({
    title: 'Double Smoothed Stochastic (Bressert)',
    description:
      'A stochastic that is averaged, put through a second stochastic and averaged again, from 0 to 100. It swings between its limits in a smooth way. Trends end in long stays at a limit, as with every stochastic.',
    related: ['stoch', 'smi'],
    tier: 2,
    inputs: ['high', 'low', 'close'],
    params: { stochPeriod: period(13, 2, 300), smoothPeriod: period(8, 1, 200) },
    outputs: ['value'],
    lookback: p => 2 * p.stochPeriod + 2 * p.smoothPeriod - 4,
    state: p => 2 * exponentialState + p.stochPeriod - 1,
    scratch: 4,
    memory: { fading: p => times(2, exponential(p.smoothPeriod)) },
    // Bressert, The Power of Oscillator/Cycle Combinations (1991).
    scale: { minimum: 0, maximum: 100, levels: [20, 80] },
  }),
  fisher: indicator({
    title: 'Fisher Transform',
    description:
      'Turns the place of the price in its range into values that are spread like a bell curve, so that turns become sharp peaks. A crossing of its own value one candle before marks the turn. Extremes can be followed by greater ones.',
    related: ['iftrsi', 'stoch', 'rsi'],
    namesElsewhere: {
      talib: 'FISHER (development)',
      tulip: 'fisher',
      pandasta: 'fisher',
      skender: 'FISHER',
      ta4j: 'Fisher',
      lean: 'FisherTransform',
      taapi: 'fisher',
    },
    inputs: ['high', 'low'],
    params: { period: period(10, 1) },
    outputs: ['fisher', 'fisher_signal'],
    lookback: p => p.period - 1,
    state: 2,
    scratch: 3,
    memory: { fading: () => [0.67, 0.5] },
    // as TradingView draws them.
    scale: { levels: [-1.5, -0.75, 0, 0.75, 1.5] },
  }),
  ultosc: indicator({
    title: 'Ultimate Oscillator',
    description:
      'Combines buying pressure over three windows, the short one counting most, into a number from 0 to 100. Williams looked for divergences at extremes and then for a break of its own pivot. The three windows dampen false turns, and also make the parameters hard to choose.',
    related: ['bop', 'rsi', 'imi'],
    otherNames: ['UO', 'Ultimate'],
    namesElsewhere: {
      talib: 'ULTOSC',
      tulip: 'ultosc',
      pandasta: 'uo',
      skender: 'UO',
      ta4j: 'UltimateOscillator',
      lean: 'UltimateOscillator',
      taapi: 'ultosc',
    },
    inputs: ['high', 'low', 'close'],
    params: { period1: period(7, 1), period2: period(14, 1), period3: period(28, 1) },
    outputs: ['value'],
    lookback: p => Math.max(p.period1, p.period2, p.period3),
    scratch: 5,
    memory: 'finite',
    // Williams, The Ultimate Oscillator, Stocks & Commodities (August 1985).
    scale: { minimum: 0, maximum: 100, levels: [30, 70] },
  }),
}
