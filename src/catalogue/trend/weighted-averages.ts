import type { About } from '../about.js'
import { factor, type IntegerParam, indicator, integer, period } from '../define.js'

/** A mean of the last `period` values with weights that the kernel computes once and keeps in its state. */
const weighted = (about: About, length: IntegerParam) =>
  indicator({
    ...about,
    inputs: ['close'],
    params: { period: length },
    outputs: ['value'],
    lookback: p => p.period - 1,
    state: p => p.period,
    memory: 'finite',
    overlay: true,
    averageType: true,
  })

/** The largest odd number up to a period, for filters around the middle of their window. */
const odd = (length: number) => 2 * Math.floor((length - 1) / 2) + 1

export const weightedAverages = {
  sma: indicator({
    title: 'Simple Moving Average',
    description:
      'The plain mean of the last prices. A price above it and a rising line mean a rise; the crossing of two lengths is the oldest signal there is. It lags by half its length, and a price that leaves the window moves it as much as a new one.',
    related: ['ema', 'wma', 'trima', 'ma', 'bbands'],
    namesElsewhere: {
      talib: 'SMA',
      tulip: 'sma',
      pandasta: 'sma',
      skender: 'SMA',
      ta4j: 'SMA',
      lean: 'SimpleMovingAverage',
      taapi: 'sma',
    },
    inputs: ['close'],
    params: { period: period(30, 1) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 1,
    memory: 'finite',
    overlay: true,
  }),
  wma: indicator({
    title: 'Weighted Moving Average',
    description:
      'A mean whose weights fall in a straight line from the newest price to the oldest. It is faster than the simple mean and forgets completely after its length. Its lag is a third of its length.',
    related: ['sma', 'hma', 'cwma', 'vwma'],
    otherNames: ['LWMA', 'Linear weighted moving average', 'wavg'],
    namesElsewhere: {
      talib: 'WMA',
      tulip: 'wma',
      pandasta: 'wma',
      skender: 'WMA',
      ta4j: 'WMA',
      lean: 'LinearWeightedMovingAverage',
      taapi: 'wma',
    },
    inputs: ['close'],
    params: { period: period(30, 1) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 1,
    memory: 'finite',
    overlay: true,
  }),
  trima: indicator({
    title: 'Triangular Moving Average',
    description:
      'A mean of means: the middle of the window counts most. The line is very smooth and shows the shape of past swings well. It lags by half its length and is no tool for fast decisions.',
    related: ['sma', 'hannma', 'sinwma'],
    otherNames: ['SWMA', 'ta.swma'],
    namesElsewhere: {
      talib: 'TRIMA',
      tulip: 'trima',
      pandasta: 'trima',
      ta4j: 'TMA',
      lean: 'TriangularMovingAverage',
      taapi: 'trima',
    },
    inputs: ['close'],
    params: { period: period(30, 1) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 2,
    memory: 'finite',
    overlay: true,
  }),
  alma: indicator({
    title: 'Arnaud Legoux Moving Average',
    description:
      'A mean with bell-shaped weights whose centre can be moved towards the newest candle. It balances smoothness and lag with two settings that are easy to picture. It stays a filter of the past: no setting gives a smooth line without lag.',
    related: ['gaussianfilter', 'hannma', 'wma'],
    namesElsewhere: {
      talib: 'ALMA (development)',
      tulip: 'alma (beta)',
      pandasta: 'alma',
      skender: 'ALMA',
      lean: 'ArnaudLegouxMovingAverage',
    },
    inputs: ['close'],
    params: { period: period(9), offset: factor(0.85, 0, 1), sigma: factor(6, 0.1, 50) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    state: p => p.period,
    memory: 'finite',
    overlay: true,
    averageType: true,
  }),
  fwma: weighted(
    {
      title: 'Fibonacci Weighted Moving Average',
      description:
        'A mean with the Fibonacci numbers as weights: the newest few prices decide nearly everything. It is a very fast line. Lengths beyond ten hardly change it.',
      related: ['wma', 'pwma', 'sqwma'],
      namesElsewhere: { pandasta: 'fwma' },
    },
    period(10),
  ),
  sinwma: weighted(
    {
      title: 'Sine Weighted Moving Average',
      description:
        'A mean with the first half of a sine wave as weights, so that the middle of the window counts most. It is smooth like the triangular average and lags as much.',
      related: ['hannma', 'trima'],
      namesElsewhere: { pandasta: 'sinwma' },
    },
    period(14),
  ),
  pwma: weighted(
    {
      title: 'Pascal Weighted Moving Average',
      description:
        "A mean with the numbers of Pascal's triangle as weights, close to a bell curve around the middle of the window. Smooth, and late by half its length.",
      related: ['sinwma', 'gaussianfilter'],
      namesElsewhere: { pandasta: 'pwma' },
    },
    period(10),
  ),
  cwma: weighted(
    {
      title: 'Cubed Weighted Moving Average',
      description:
        'A mean whose weights grow with the third power of the place in the window: the newest prices dominate. It is close to the price and lets noise through.',
      related: ['sqwma', 'wma', 'srwma'],
    },
    period(14),
  ),
  sqwma: weighted(
    {
      title: 'Square Weighted Moving Average',
      description:
        'A mean whose weights grow with the square of the place in the window. It is faster than the weighted average, calmer than the cubed one.',
      related: ['cwma', 'wma', 'srwma'],
      tier: 2,
    },
    period(14),
  ),
  srwma: weighted(
    {
      title: 'Square Root Weighted Moving Average',
      description:
        'A mean whose weights grow with the square root of the place in the window. It lies between the simple and the weighted average in speed and in smoothness. The difference from either is small.',
      related: ['sqwma', 'wma'],
      tier: 2,
    },
    period(14),
  ),
  hannma: weighted(
    {
      title: 'Hann Window Moving Average',
      description:
        'A mean with the weights of a Hann window, a bell that ends in zero on both sides. New prices enter and old ones leave without a jump. The lag is half the length.',
      related: ['sinwma', 'trima', 'alma'],
      tier: 2,
    },
    period(14),
  ),
  vpwma: indicator({
    title: 'Variable Power Weighted Moving Average',
    description:
      'A mean whose weights grow with a power that can be chosen, so one setting moves it from the simple average to a very fast one. It repeats what the square and cubic averages do at fixed powers.',
    related: ['wma', 'sqwma', 'cwma'],
    tier: 2,
    inputs: ['close'],
    params: { period: period(14), power: factor(0.382, 0, 10) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    state: p => p.period,
    memory: 'finite',
    overlay: true,
    averageType: true,
  }),
  henderson: indicator({
    title: 'Henderson Moving Average',
    description:
      'A smoothing that statisticians use to show the trend of economic series: it keeps curves and removes noise. Centred on past candles its line is excellent. Here, where it may not look ahead, it lags by half its window.',
    related: ['savitzkygolay', 'linearreg'],
    tier: 2,
    inputs: ['close'],
    params: { period: period(7, 5) },
    outputs: ['value'],
    lookback: p => odd(p.period) - 1,
    state: p => odd(p.period),
    memory: 'finite',
    overlay: true,
  }),
  savitzkygolay: indicator({
    title: 'Savitzky-Golay Filter',
    description:
      'Fits a polynomial to the window and takes its middle, so peaks keep their height. It comes from chemistry and smooths well. As it must not look ahead, its line is half a window late.',
    related: ['henderson', 'polyfit'],
    tier: 2,
    namesElsewhere: { ta4j: 'SGMA' },
    inputs: ['close'],
    params: { period: period(21, 7), polyOrder: integer(2, 0, 6) },
    outputs: ['value'],
    lookback: p => odd(p.period) - 1,
    state: p => odd(p.period),
    memory: 'finite',
    overlay: true,
  }),
  jsa: indicator({
    title: 'Jsa Moving Average',
    description:
      'The mean of two prices only: the newest and one some candles ago. It is a curiosity that shows how much a mean depends on its ends.',
    related: ['midpoint', 'mom'],
    tier: 2,
    inputs: ['close'],
    params: { period: period(30, 1) },
    outputs: ['value'],
    lookback: p => p.period,
    memory: 'finite',
    overlay: true,
    averageType: true,
  }),
  dwma: indicator({
    title: 'Double Weighted Moving Average',
    description:
      'A weighted average of a weighted average. The line is smoother than one pass and follows well. It needs twice the candles and lags more.',
    related: ['wma', 'dema', 'trima'],
    tier: 3,
    inputs: ['close'],
    params: { period: period(10) },
    outputs: ['value'],
    lookback: p => 2 * (p.period - 1),
    scratch: 2,
    memory: 'finite',
    overlay: true,
    averageType: true,
  }),
  zlsma: indicator({
    title: 'Zero-lag Least Squares Moving Average',
    description:
      'Twice the end of a regression line less the end of a line through such ends, which takes out what lag is left. It follows price closely. Like all corrected lines it overshoots at turns.',
    related: ['linearreg', 'zlema', 'hma'],
    tier: 2,
    inputs: ['close'],
    params: { period: period(32) },
    outputs: ['value'],
    lookback: p => 2 * (p.period - 1),
    scratch: 2,
    memory: 'finite',
    overlay: true,
    averageType: true,
  }),
  hma: indicator({
    title: 'Hull Moving Average',
    description:
      'A weighted mean built from two others so that its lag nearly disappears. Its colour or slope is used to tell the direction. It overshoots at sharp turns and can mark a turn that the price does not make.',
    related: ['wma', 'ehma', 'zlema'],
    otherNames: ['Hull'],
    namesElsewhere: {
      talib: 'HMA (development)',
      tulip: 'hma',
      pandasta: 'hma',
      skender: 'HMA',
      ta4j: 'HMA',
      lean: 'HullMovingAverage',
      taapi: 'hma',
    },
    inputs: ['close'],
    params: { period: period(16) },
    outputs: ['value'],
    lookback: p => p.period + Math.floor(Math.sqrt(p.period)) - 2,
    scratch: 3,
    memory: 'finite',
    overlay: true,
    averageType: true,
  }),
}
