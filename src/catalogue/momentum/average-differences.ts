import { averageKeeps, averageLookback, averageState } from '../average.js'
import {
  atMost,
  factor,
  flag,
  indicator,
  label,
  maType,
  type Numbers,
  period,
  startingAfter,
} from '../define.js'
import { doubleState, exponentialState, macdState } from '../exponential-average.js'
import { chain, exponential, wilder } from '../fading.js'

/** Candles before the first value of MAC-Z. */
const scored = (p: Readonly<Record<'slowPeriod' | 'deviationPeriod' | 'zPeriod', number>>) =>
  Math.max(p.slowPeriod, p.deviationPeriod, 2 * p.zPeriod - 1) - 1

export const averageDifferences = {
  macd: indicator({
    title: 'Moving Average Convergence Divergence (MACD)',
    description:
      'The distance between a fast and a slow exponential average, with a signal line that smooths it and a histogram of the difference. Crossings of the signal line and of zero are read as changes of momentum. Its size depends on the price, so values of two markets cannot be compared, and in sideways markets it crosses often.',
    related: ['ppo', 'macdext', 'macdfix', 'apo', 'macddivergence'],
    namesElsewhere: {
      talib: 'MACD',
      tulip: 'macd',
      pandasta: 'macd',
      skender: 'MACD',
      ta4j: 'MACD',
      lean: 'MovingAverageConvergenceDivergence',
      taapi: 'macd',
    },
    inputs: ['close'],
    params: { fastPeriod: period(12), slowPeriod: period(26), signalPeriod: period(9, 1) },
    outputs: ['valueMACD', 'valueMACDSignal', 'valueMACDHist'],
    degree: [1, 0],
    lookback: p => Math.max(p.fastPeriod, p.slowPeriod) + p.signalPeriod - 2,
    state: macdState,
    memory: {
      fading: p => [exponential(p.fastPeriod), exponential(p.slowPeriod), exponential(p.signalPeriod)],
    },
    scale: { levels: [0] },
  }),
  macdext: indicator({
    title: 'MACD with controllable MA type',
    description:
      'The MACD with any kind of moving average for each of its three lines. It lets one study how the kind of smoothing changes the signals. More freedom also means more ways to fit the past.',
    related: ['macd', 'ma', 'ppo'],
    namesElsewhere: { talib: 'MACDEXT', pandasta: 'macdext', taapi: 'macdext' },
    inputs: ['close'],
    params: {
      fastPeriod: period(12),
      fastMAType: maType(),
      slowPeriod: period(26),
      slowMAType: maType(),
      signalPeriod: period(9, 1),
      signalMAType: maType(),
    },
    outputs: ['valueMACD', 'valueMACDSignal', 'valueMACDHist'],
    degree: [1, 0],
    lookback: p =>
      Math.max(averageLookback(p.fastMAType, p.fastPeriod), averageLookback(p.slowMAType, p.slowPeriod)) +
      averageLookback(p.signalMAType, p.signalPeriod),
    state: p =>
      averageState(p.fastMAType, p.fastPeriod) +
      averageState(p.slowMAType, p.slowPeriod) +
      averageState(p.signalMAType, p.signalPeriod) +
      averageLookback(p.signalMAType, p.signalPeriod),
    scratch: 4,
    memory: {
      fading: p =>
        chain(
          averageKeeps(p.fastMAType, p.fastPeriod),
          averageKeeps(p.slowMAType, p.slowPeriod),
          averageKeeps(p.signalMAType, p.signalPeriod),
        ),
    },
    scale: { levels: [0] },
  }),
  macdfix: indicator({
    title: 'MACD fixed 12/26',
    description:
      'The MACD with the fixed lengths 12 and 26, smoothed with the rounded weights of its first publication. It exists for results that must match other software; otherwise the MACD is the same thing.',
    related: ['macd', 'ppo'],
    namesElsewhere: { talib: 'MACDFIX', pandasta: 'macdfix', taapi: 'macdfix' },
    inputs: ['close'],
    params: { signalPeriod: period(9, 1) },
    outputs: ['valueMACD', 'valueMACDSignal', 'valueMACDHist'],
    degree: [1, 0],
    lookback: p => p.signalPeriod + 24,
    state: macdState,
    memory: { fading: p => [exponential(12), exponential(26), exponential(p.signalPeriod)] },
    scale: { levels: [0] },
  }),
  macz: indicator({
    title: 'MAC-Z',
    description:
      'The distance to the volume-weighted average in units of its usual size, plus a MACD in units of the dispersion. It tries to join mean reversion with momentum in one line. The two ideas often contradict each other.',
    related: ['macd', 'zscore', 'vwap'],
    tier: 3,
    inputs: ['close', 'volume'],
    params: {
      fastPeriod: period(12, 1),
      slowPeriod: period(25, 1),
      signalPeriod: period(9, 1),
      zPeriod: period(20, 2, 250),
      deviationPeriod: period(25),
      a: factor(1, -100, 100),
      b: factor(1, -100, 100),
    },
    relations: [atMost('fastPeriod', 'slowPeriod')],
    outputs: [startingAfter(scored, 'value'), 'signal', 'histogram'],
    lookback: p => scored(p) + p.signalPeriod - 1,
    scratch: 7,
    memory: 'finite',
    scale: { levels: [0] },
  }),
  ppo: indicator({
    title: 'Percentage Price Oscillator',
    description:
      'The distance of a fast average above a slow one, in percent. It is the MACD on a scale that allows comparing markets and decades. Sideways markets let it swing around zero.',
    related: ['apo', 'macd', 'pvo'],
    namesElsewhere: {
      talib: 'PPO',
      tulip: 'ppo',
      pandasta: 'ppo',
      ta4j: 'PPO',
      lean: 'PercentagePriceOscillator',
      taapi: 'ppo',
    },
    inputs: ['close'],
    params: { fastPeriod: period(12), slowPeriod: period(26), maType: maType() },
    outputs: ['value'],
    lookback: p => averageLookback(p.maType, Math.max(p.fastPeriod, p.slowPeriod)),
    state: p => averageState(p.maType, p.fastPeriod) + averageState(p.maType, p.slowPeriod),
    scratch: 4,
    memory: {
      fading: p => chain(averageKeeps(p.maType, p.fastPeriod), averageKeeps(p.maType, p.slowPeriod)),
    },
    scale: { levels: [0] },
  }),
  apo: indicator({
    title: 'Absolute Price Oscillator',
    description:
      'A fast average less a slow one, in units of the price, without a signal line. Its sign gives the direction of the trend. The kind of average can be chosen; values of different markets cannot be compared.',
    related: ['ppo', 'macd', 'maribbon'],
    namesElsewhere: {
      talib: 'APO',
      tulip: 'apo',
      pandasta: 'apo',
      lean: 'AbsolutePriceOscillator',
      taapi: 'apo',
    },
    inputs: ['close'],
    params: { fastPeriod: period(12), slowPeriod: period(26), maType: maType() },
    outputs: ['value'],
    degree: [1, 0],
    lookback: p => averageLookback(p.maType, Math.max(p.fastPeriod, p.slowPeriod)),
    state: p => averageState(p.maType, p.fastPeriod) + averageState(p.maType, p.slowPeriod),
    scratch: 4,
    memory: {
      fading: p => chain(averageKeeps(p.maType, p.fastPeriod), averageKeeps(p.maType, p.slowPeriod)),
    },
    scale: { levels: [0] },
  }),
  ao: indicator({
    title: 'Awesome Oscillator',
    description:
      'The mean of 5 less the mean of 34 median prices. Williams reads crossings of zero, two peaks on one side and the colour of the bars. It is a MACD with simple averages, and lags like one.',
    related: ['accosc', 'macd', 'aodivergence', 'ewo'],
    namesElsewhere: {
      talib: 'AO (development)',
      tulip: 'ao',
      pandasta: 'ao',
      skender: 'AWESOME',
      ta4j: 'AwesomeOscillator',
      lean: 'AwesomeOscillator',
      taapi: 'ao',
    },
    inputs: ['high', 'low'],
    outputs: ['value'],
    degree: [1, 0],
    lookback: 33,
    scratch: 2,
    memory: 'finite',
    scale: { levels: [0] },
    drawing: [{ kind: 'histogram', outputs: ['value'], colouring: 'change' }],
  }),
  accosc: indicator({
    title: 'Accelerator Oscillator',
    description:
      'The Awesome Oscillator less its own average of five candles: whether momentum gains or loses speed. It turns before the Awesome Oscillator, and far more often for no lasting reason.',
    related: ['ao', 'acceleration', 'mom'],
    otherNames: ['AC', 'Accelerator oscillator', 'Bill Williams AC'],
    namesElsewhere: { talib: 'AC (development)', ta4j: 'AccelerationDeceleration', taapi: 'accosc' },
    inputs: ['high', 'low'],
    params: { lengthSlow: period(34, 1), lengthFast: period(5, 1) },
    relations: [atMost('lengthFast', 'lengthSlow')],
    outputs: ['value'],
    degree: [1, 0],
    lookback: p => p.lengthSlow + 3,
    scratch: 3,
    memory: 'finite',
    scale: { levels: [0] },
    drawing: [{ kind: 'histogram', outputs: ['value'], colouring: 'change' }],
  }),
  raschke310: indicator({
    title: '3/10 Oscillator',
    description:
      'The difference of simple averages of 3 and 10 candles with a 16-candle average of it. Divergences of the fast line and pullbacks against the slow one are its uses. It is very short and suits swing trading only.',
    related: ['macd', 'apo'],
    tier: 2,
    inputs: ['close'],
    params: { fastPeriod: period(3, 1), slowPeriod: period(10, 1), signalPeriod: period(16, 1) },
    relations: [atMost('fastPeriod', 'slowPeriod')],
    outputs: [startingAfter((p: Numbers<'slowPeriod'>) => p.slowPeriod - 1, 'value'), 'signal', 'histogram'],
    degree: [1, 0],
    lookback: p => p.slowPeriod + p.signalPeriod - 2,
    scratch: 2,
    memory: 'finite',
    scale: { levels: [0] },
  }),
  ewo: indicator({
    title: 'Elliott Wave Oscillator',
    description:
      'A simple average of 5 less one of 35 candles, which Elliott traders use to tell waves apart: the largest value belongs to the third wave. Counting waves remains a matter of opinion.',
    related: ['ao', 'macd'],
    tier: 2,
    inputs: ['close'],
    params: { fastPeriod: period(5, 1), slowPeriod: period(35, 1), percent: flag(true) },
    relations: [atMost('fastPeriod', 'slowPeriod')],
    outputs: ['value'],
    degree: p => [p.percent ? 0 : 1, 0],
    lookback: p => p.slowPeriod - 1,
    scratch: 1,
    memory: 'finite',
    scale: { levels: [0] },
    drawing: [{ kind: 'histogram', outputs: ['value'], colouring: 'sign' }],
  }),
  impulsemacd: indicator({
    title: 'Impulse MACD',
    description:
      'Measures how far a smoothed middle price has left a channel of smoothed highs and lows; zero inside it. It is silent in ranges, where the MACD gives false crossings. Slow trends can stay within the channel unnoticed.',
    related: ['macd', 'dema'],
    tier: 2,
    inputs: ['high', 'low', 'close'],
    params: { period: period(34, 1, 400), signalPeriod: period(9, 1, 200) },
    outputs: [startingAfter((p: Numbers<'period'>) => 2 * p.period - 2, 'value'), 'signal', 'histogram'],
    degree: [1, 0],
    lookback: p => 2 * p.period + p.signalPeriod - 3,
    state: p => 2 * exponentialState + doubleState + p.signalPeriod - 1,
    scratch: 5,
    memory: { fading: p => [wilder(p.period)] },
    scale: { levels: [0] },
  }),
  stc: indicator({
    title: 'Schaff Trend Cycle',
    description:
      'A MACD put through the stochastic twice, from 0 to 100. It changes sides sooner than the MACD and rests at its limits in trends. A short pause is often shown as a complete change.',
    related: ['macd', 'stoch'],
    otherNames: ['Schaff trend cycle'],
    namesElsewhere: {
      talib: 'STC (development)',
      pandasta: 'stc',
      skender: 'STC',
      ta4j: 'SchaffTrendCycle',
      lean: 'SchaffTrendCycle',
      taapi: 'stc',
    },
    inputs: ['close'],
    params: {
      fastLength: period(23, 1, 200),
      slowLength: period(50, 1, 200),
      cycleLength: period(10, 2, 200),
      d1Length: period(3, 1, 200),
      d2Length: period(3, 1, 200),
    },
    relations: [atMost('fastLength', 'slowLength')],
    outputs: ['value', label('trend', { 1: 'bullish', '-1': 'bearish' })],
    lookback: p => p.slowLength + 2 * p.cycleLength + p.d1Length + p.d2Length - 5,
    state: p => 4 * exponentialState + 4 + 2 * (p.cycleLength - 1),
    scratch: 4,
    memory: {
      fading: p => [
        exponential(p.fastLength),
        exponential(p.slowLength),
        exponential(p.d1Length),
        exponential(p.d2Length),
      ],
    },
    // Schaff, as TradingView's scripts draw them.
    scale: { minimum: 0, maximum: 100, levels: [25, 75] },
  }),
}
