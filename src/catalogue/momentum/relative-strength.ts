import { atMost, factor, indicator, label, type Numbers, period, startingAfter } from '../define.js'
import { exponentialState, strengthState } from '../exponential-average.js'
import { chain, exponential, laguerre, times, wilder } from '../fading.js'

/** Candles before the first smoothed strength of a QQE Mod, and before its line. */
const strength = (p: Numbers<'rsiPeriod' | 'smoothPeriod'>) => p.rsiPeriod + p.smoothPeriod - 1
const strengthLine = (p: Numbers<'rsiPeriod' | 'smoothPeriod'>) => strength(p) + 2 * (2 * p.rsiPeriod - 1) - 1

/** Candles before the first value of TKE, whose longest window is that of the ultimate oscillator. */
const blended = (p: Numbers<'period'>) => Math.max(p.period, 28)

export const relativeStrength = {
  rsi: indicator({
    title: 'Relative Strength Index (RSI)',
    description:
      'Compares the average rise with the average fall of the last candles, from 0 to 100. Above 70 a market is often called overbought, below 30 oversold, and 50 divides rising from falling phases. In a strong trend it stays beyond these levels for a long time, so an extreme alone is no reason to expect a turn.',
    related: ['stochrsi', 'cmo', 'rsx', 'connorsrsi', 'rsidivergence'],
    namesElsewhere: {
      talib: 'RSI',
      tulip: 'rsi',
      pandasta: 'rsi',
      skender: 'RSI',
      ta4j: 'RSI',
      lean: 'RelativeStrengthIndex',
      taapi: 'rsi',
    },
    inputs: ['close'],
    params: { period: period(14) },
    outputs: ['value'],
    lookback: p => p.period,
    state: strengthState,
    memory: { fading: p => [wilder(p.period)] },
    // Wilder, New Concepts in Technical Trading Systems (1978).
    scale: { minimum: 0, maximum: 100, levels: [30, 70] },
  }),
  cmo: indicator({
    title: 'Chande Momentum Oscillator',
    description:
      'Net movement as a share of all movement, from −100 to 100, smoothed as TA-Lib does it. It is the RSI on another scale: 50 and −50 correspond to 75 and 25. It shares the fault that trends keep it at an extreme.',
    related: ['cmou', 'rsi', 'vidya'],
    namesElsewhere: { talib: 'CMO', lean: 'ChandeMomentumOscillator', taapi: 'cmo' },
    inputs: ['close'],
    params: { period: period(14) },
    outputs: ['value'],
    lookback: p => p.period,
    state: strengthState,
    memory: { fading: p => [wilder(p.period)] },
    // Chande and Kroll, The New Technical Trader (1994).
    scale: { minimum: -100, maximum: 100, levels: [-50, 0, 50] },
  }),
  cmou: indicator({
    title: 'Chande Momentum Oscillator (unsmoothed)',
    description:
      'Net movement of the window as a share of all movement, without the smoothing of TA-Lib. Every candle of the window counts equally, so it turns quickly, and it also jumps when a large candle leaves the window.',
    related: ['cmo', 'rsi', 'efficiencyratio'],
    otherNames: ['CMO without smoothing'],
    namesElsewhere: {
      talib: 'CMOU (development)',
      tulip: 'cmo',
      pandasta: 'cmo',
      skender: 'CMO',
      ta4j: 'CMO',
    },
    inputs: ['close'],
    params: { period: period(14) },
    outputs: ['value'],
    lookback: p => p.period,
    scratch: 4,
    memory: 'finite',
    // Chande and Kroll, The New Technical Trader (1994).
    scale: { minimum: -100, maximum: 100, levels: [-50, 0, 50] },
  }),
  rmi: indicator({
    title: 'Relative Momentum Index',
    description:
      'An RSI that compares each price with one several candles before rather than with the previous one. The longer comparison makes extremes rarer and trends clearer. It keeps the other limits of the RSI.',
    related: ['rsi', 'mom'],
    namesElsewhere: { tulip: 'rmi (beta)' },
    inputs: ['close'],
    params: { period: period(20, 1), momentum: period(5, 1) },
    outputs: ['value'],
    lookback: p => p.momentum + p.period - 1,
    state: 2 * exponentialState,
    scratch: 2,
    memory: { fading: p => [wilder(p.period)] },
    // Altman, Relative Momentum Index, Stocks & Commodities (February 1993).
    scale: { minimum: 0, maximum: 100, levels: [30, 70] },
  }),
  rsx: indicator({
    title: 'Relative Strength Xtra (RSX)',
    description:
      'An RSI whose smoothing removes nearly all noise with little delay. It is read by the levels of the RSI and its turns are clear. Like the RSI it stays high or low as long as a trend lasts.',
    related: ['rsi', 'laguerrersi', 'jma'],
    namesElsewhere: { pandasta: 'rsx' },
    inputs: ['close'],
    params: { period: period(14) },
    outputs: ['value'],
    lookback: p => p.period,
    state: 12,
    memory: { fading: p => times(6, 1 - 3 / (p.period + 2)) },
    scale: { minimum: 0, maximum: 100, levels: [] },
  }),
  connorsrsi: indicator({
    title: 'Connors RSI',
    description:
      'The mean of a short RSI, an RSI of the length of the current streak, and the rank of the last change. It finds pullbacks of a few days within longer trends: below 10 or above 90 are extremes. It is a tool for daily charts of shares and says little on its own about larger turns.',
    related: ['rsi', 'streak', 'percentrank'],
    otherNames: ['CRSI'],
    namesElsewhere: {
      talib: 'CRSI (development)',
      skender: 'CRSI',
      ta4j: 'ConnorsRSI',
      lean: 'ConnorsRelativeStrengthIndex',
    },
    inputs: ['close'],
    params: { rsiPeriod: period(3), streakPeriod: period(2), rankPeriod: period(100) },
    outputs: ['value'],
    lookback: p => Math.max(p.rsiPeriod, p.streakPeriod, p.rankPeriod) + 1,
    state: 2 * strengthState + 1,
    scratch: 3,
    memory: { fading: p => [wilder(Math.max(p.rsiPeriod, p.streakPeriod))] },
    // Connors Research, An Introduction to ConnorsRSI (2012).
    scale: { minimum: 0, maximum: 100, levels: [10, 90] },
  }),
  laguerrersi: indicator({
    title: 'Laguerre RSI',
    description:
      'An RSI of a four-stage Laguerre filter, which follows turns with few candles of data. It goes quickly from 0 to 1 and stays there during a trend. A single parameter sets how fast; too fast, and it flickers.',
    related: ['rsi', 'laguerrefilter', 'rsx'],
    otherNames: ['LRSI'],
    namesElsewhere: { pandasta: 'lrsi' },
    inputs: ['close'],
    params: { gamma: factor(0.5, 0, 0.99) },
    outputs: ['value'],
    lookback: 1,
    state: 4,
    memory: { fading: p => chain(laguerre(p.gamma), [p.gamma]) },
    // Ehlers, Cybernetic Analysis for Stocks and Futures (2004).
    scale: { minimum: 0, maximum: 1, levels: [0.2, 0.8] },
  }),
  iftrsi: indicator({
    title: 'Inverse Fisher Transform of RSI',
    description:
      'Pushes a smoothed RSI through the inverse Fisher transform, so that it is nearly always close to −1 or 1. Crossings of ±0.5 are clear signals. Only their form is clear: it has no more information than the RSI.',
    related: ['rsi', 'fisher'],
    otherNames: ['IFT', 'Inverse Fisher transform'],
    inputs: ['close'],
    params: { rsiPeriod: period(5), wmaPeriod: period(9, 1) },
    outputs: ['value'],
    lookback: p => p.rsiPeriod + p.wmaPeriod - 1,
    state: p => strengthState + p.wmaPeriod - 1,
    scratch: 2,
    memory: { fading: p => [wilder(p.rsiPeriod)] },
    // Ehlers, The Inverse Fisher Transform, Stocks & Commodities (May 2004).
    scale: { minimum: -1, maximum: 1, levels: [-0.5, 0, 0.5] },
  }),
  dymi: indicator({
    title: 'Dynamic Momentum Index',
    description:
      'An RSI whose length shrinks in restless markets and grows in quiet ones. It reaches its extremes sooner when something happens. The changing length makes values hard to compare over time.',
    related: ['rsi', 'stddev'],
    tier: 2,
    inputs: ['close'],
    params: {
      period: period(14, 1),
      deviationPeriod: period(5),
      averagePeriod: period(10, 1),
      minPeriod: period(3, 1),
      maxPeriod: period(30, 1),
    },
    relations: [atMost('minPeriod', 'maxPeriod')],
    outputs: ['value'],
    lookback: p => Math.max(p.maxPeriod, p.deviationPeriod + p.averagePeriod - 2),
    scratch: 4,
    memory: 'finite',
    // Chande and Kroll, The New Technical Trader (1994).
    scale: { minimum: 0, maximum: 100, levels: [30, 70] },
  }),
  netmyrsi: indicator({
    title: 'NET of MyRSI',
    description:
      "Ehlers' RSI put through a noise elimination based on rank correlation. Turns are clean and early. It says how orderly a move is, not how large.",
    related: ['rsi', 'rci', 'kendall'],
    tier: 3,
    inputs: ['close'],
    params: { period: period(14, 2, 400) },
    outputs: [startingAfter((p: Numbers<'period'>) => 2 * p.period - 1, 'value')],
    // The value that leaves the window belongs to the window's first candle.
    lookback: p => 2 * p.period,
    state: 2,
    scratch: 5,
    memory: 'finite',
    scale: { minimum: -1, maximum: 1, levels: [0] },
  }),
  reversersi: indicator({
    title: 'Reverse RSI',
    description:
      'The price at which the RSI would have a given value on the next candle. It turns a level of the RSI into a price for an order. It holds for one candle only.',
    related: ['rsi'],
    tier: 3,
    inputs: ['close'],
    params: { period: period(14, 1), level: factor(50, 0.01, 99.99) },
    outputs: ['value'],
    lookback: p => p.period,
    state: 2 * exponentialState,
    scratch: 2,
    memory: { fading: p => [wilder(p.period)] },
    overlay: true,
  }),
  qqe: indicator({
    title: 'Quantitative Qualitative Estimation (QQE)',
    description:
      "A smoothed RSI with a trailing line that follows at a multiple of the RSI's own range. Crossings of the line change the direction. The RSI and the line are smoothed several times, so the change comes well after the turn.",
    related: ['qqemod', 'rsi', 'dvdiqqe'],
    namesElsewhere: { pandasta: 'qqe' },
    inputs: ['close'],
    params: { rsiPeriod: period(14, 2, 150), smoothPeriod: period(5, 1, 200), factor: factor(4.236, 0, 100) },
    outputs: [
      startingAfter((p: Numbers<'rsiPeriod' | 'smoothPeriod'>) => p.rsiPeriod + p.smoothPeriod - 1, 'value'),
      'line',
      label('trend', { 1: 'up', '-1': 'down' }),
    ],
    lookback: p => p.rsiPeriod + p.smoothPeriod - 1 + 2 * (2 * p.rsiPeriod - 1) - 1,
    state: strengthState + exponentialState + 5 + 6,
    memory: 'whole',
    // as QQE is drawn in MetaTrader.
    scale: { levels: [50] },
  }),
  qqemod: indicator({
    title: 'QQE Mod',
    description:
      'Two QQE lines joined: a candle counts as strong only where both are on one side and beyond a band. It filters out many weak signals of QQE, and misses the start of moves.',
    related: ['qqe', 'rsi', 'bbands'],
    tier: 2,
    inputs: ['close'],
    params: {
      rsiPeriod: period(6, 2, 100),
      smoothPeriod: period(5, 1, 200),
      factor: factor(3, 0, 100),
      threshold: factor(3, 0, 100),
      factor2: factor(1.61, 0, 100),
      bbPeriod: period(50, 2, 300),
      bbStddev: factor(0.35, 0, 100),
    },
    outputs: [
      startingAfter(strength, 'value'),
      startingAfter(strengthLine, 'line'),
      label('trend', { 1: 'up', '-1': 'down', 0: 'none' }),
    ],
    lookback: p => strengthLine(p) + p.bbPeriod - 1,
    // The strength, two pairs of bands, and the window of the first line.
    state: p => strengthState + exponentialState + 5 + 2 * 6 + p.bbPeriod - 1,
    scratch: 4,
    memory: 'whole',
    scale: { levels: [0] },
    drawing: [
      { kind: 'histogram', outputs: ['value'], colouredBy: 'trend' },
      { kind: 'line', outputs: ['line'], colour: 1 },
    ],
  }),
  dvdiqqe: indicator({
    title: 'DVDI-QQE',
    description:
      'A double-smoothed difference of rising and falling volume indices with trailing lines in the manner of QQE. It looks for moves that volume does not support. Several smoothings delay it.',
    related: ['qqe', 'pvi', 'nvi'],
    tier: 3,
    inputs: ['close', 'volume'],
    params: {
      period: period(13, 1),
      smoothPeriod: period(6, 1),
      fastFactor: factor(2.618, 0, 100),
      slowFactor: factor(4.236, 0, 100),
    },
    outputs: ['value', 'fast', 'slow', 'center'],
    degree: [1, 0],
    lookback: p => 2 * p.period - 1,
    // `Memory` of the kernel.
    state: 10,
    memory: 'whole',
  }),
  tdi: indicator({
    title: "Trader's Dynamic Index",
    description:
      'An RSI with a fast line, a signal line and volatility bands around it. Crossings give entries, the bands the state of the market. Several lines of the same RSI agree more often than they confirm.',
    related: ['rsi', 'bbands'],
    tier: 2,
    inputs: ['close'],
    params: {
      rsiPeriod: period(13),
      bandPeriod: period(34),
      multiplier: factor(1.6185, 0, 100),
      pricePeriod: period(2, 1),
      signalPeriod: period(7, 1),
    },
    outputs: [
      startingAfter((p: Numbers<'rsiPeriod' | 'pricePeriod'>) => p.rsiPeriod + p.pricePeriod - 1, 'value'),
      startingAfter((p: Numbers<'rsiPeriod' | 'signalPeriod'>) => p.rsiPeriod + p.signalPeriod - 1, 'signal'),
      startingAfter((p: Numbers<'rsiPeriod' | 'bandPeriod'>) => p.rsiPeriod + p.bandPeriod - 1, 'upper'),
      startingAfter((p: Numbers<'rsiPeriod' | 'bandPeriod'>) => p.rsiPeriod + p.bandPeriod - 1, 'middle'),
      startingAfter((p: Numbers<'rsiPeriod' | 'bandPeriod'>) => p.rsiPeriod + p.bandPeriod - 1, 'lower'),
    ],
    lookback: p => p.rsiPeriod + Math.max(p.bandPeriod, p.pricePeriod, p.signalPeriod) - 1,
    state: p => strengthState + Math.max(p.bandPeriod, p.pricePeriod, p.signalPeriod) - 1,
    scratch: 2,
    memory: { fading: p => [wilder(p.rsiPeriod)] },
    // Malone, Traders Dynamic Index (2006).
    scale: { levels: [32, 50, 68] },
  }),
  derivativeosc: indicator({
    title: 'Derivative Oscillator',
    description:
      'A double-smoothed RSI less its average, shown as a histogram. Crossings of zero show turns of momentum with little noise. The smoothing leaves the sharp turns out.',
    related: ['rsi', 'macd'],
    tier: 2,
    namesElsewhere: { lean: 'DerivativeOscillator' },
    inputs: ['close'],
    params: {
      rsiPeriod: period(14, 2, 300),
      firstSmooth: period(5, 1, 200),
      secondSmooth: period(3, 1, 200),
      signalPeriod: period(9, 1, 200),
    },
    outputs: ['value'],
    lookback: p => p.rsiPeriod + p.firstSmooth + p.secondSmooth + p.signalPeriod - 3,
    state: p => strengthState + 2 * exponentialState + p.signalPeriod - 1,
    scratch: 2,
    memory: { fading: p => [wilder(p.rsiPeriod), exponential(p.firstSmooth), exponential(p.secondSmooth)] },
    scale: { levels: [0] },
    drawing: [{ kind: 'histogram', outputs: ['value'], colouring: 'signAndChange' }],
  }),
  tke: indicator({
    title: 'TKE',
    description:
      'The mean of seven common oscillators. Where most agree, it is high or low. They are made of the same prices, so agreement is less proof than it seems.',
    related: ['rsi', 'stoch', 'cci'],
    tier: 3,
    inputs: ['high', 'low', 'close', 'volume'],
    params: { period: period(14), signalPeriod: period(5, 1) },
    outputs: [startingAfter(blended, 'value'), 'signal'],
    lookback: p => blended(p) + p.signalPeriod - 1,
    state: strengthState + 2,
    scratch: 6,
    memory: { fading: p => [wilder(p.period), exponential(p.signalPeriod)] },
    // Erdinc, TKE (TradingView).
    scale: { levels: [20, 80] },
  }),
}
