import { atMost, choice, factor, indicator, type Numbers, period, startingAfter } from '../define.js'
import { exponentialState } from '../exponential-average.js'
import { chain, exponential, feedback, wilder } from '../fading.js'

export const volatilityOscillators = {
  rvi: indicator({
    title: 'Relative Volatility Index',
    description:
      'An RSI of standard deviations: how much of the volatility comes with rises, smoothed as Wilder does, or exponentially as TradingView does. Above 50 volatility is on the side of buyers. It was made to confirm other signals, not to give them.',
    related: ['rvir', 'inertia', 'rsi'],
    namesElsewhere: { talib: 'RVI (development)', tulip: 'rvi (beta)', pandasta: 'rvi' },
    inputs: ['close'],
    params: { stdDevPeriod: period(10), period: period(14, 1), smoothing: choice('wilder', 'ema') },
    outputs: ['value'],
    lookback: p => Math.max(1, p.stdDevPeriod - 1) + p.period - 1,
    state: 2 * exponentialState,
    scratch: 3,
    memory: { fading: p => [p.smoothing === 'wilder' ? wilder(p.period) : exponential(p.period)] },
    // as TradingView draws them.
    scale: { minimum: 0, maximum: 100, levels: [20, 50, 80] },
  }),
  rvir: indicator({
    title: 'Relative Volatility Index (1995)',
    description:
      'The form of 1995 of the Relative Volatility Index: the mean of one from highs and one from lows. It is steadier than the first form.',
    related: ['rvi', 'inertia'],
    tier: 2,
    otherNames: ['RVI 1995', 'RVI refined'],
    namesElsewhere: { talib: 'RVIR (development)', pandasta: 'rvi' },
    inputs: ['high', 'low'],
    params: { stdDevPeriod: period(10), period: period(14, 1), smoothing: choice('wilder', 'ema') },
    outputs: ['value'],
    lookback: p => Math.max(1, p.stdDevPeriod - 1) + p.period - 1,
    state: 4 * exponentialState,
    scratch: 4,
    memory: { fading: p => [p.smoothing === 'wilder' ? wilder(p.period) : exponential(p.period)] },
    // Dorsey, Stocks & Commodities (September 1995).
    scale: { minimum: 0, maximum: 100, levels: [50] },
  }),
  waddahattar: indicator({
    title: 'Waddah Attar Explosion',
    description:
      'The change of a MACD against the width of the Bollinger Bands and a dead zone. Strength above both lines means a move worth following. All three grow only once the market moves.',
    related: ['macd', 'bbands', 'damiani'],
    otherNames: ['WAE'],
    inputs: ['high', 'low', 'close'],
    params: {
      sensitivity: factor(150, 0, 1e6),
      fastPeriod: period(20, 1),
      slowPeriod: period(40, 1),
      bbPeriod: period(20),
      stddev: factor(2, 0, 100),
      atrPeriod: period(100, 1),
      deadZoneMultiplier: factor(3.7, 0, 100),
    },
    relations: [atMost('fastPeriod', 'slowPeriod')],
    outputs: [
      startingAfter((p: Numbers<'slowPeriod'>) => p.slowPeriod, 'trendUp'),
      startingAfter((p: Numbers<'slowPeriod'>) => p.slowPeriod, 'trendDown'),
      startingAfter((p: Numbers<'bbPeriod'>) => p.bbPeriod - 1, 'explosion'),
      startingAfter((p: Numbers<'atrPeriod'>) => p.atrPeriod, 'deadZone'),
    ],
    degree: [1, 0],
    lookback: p => Math.max(p.slowPeriod, p.bbPeriod - 1, p.atrPeriod),
    state: 3 * exponentialState + 1,
    scratch: 2,
    memory: { fading: p => [Math.max(wilder(p.atrPeriod), exponential(p.slowPeriod))] },
    drawing: [
      { kind: 'histogram', outputs: ['trendUp'], colour: 'up' },
      { kind: 'histogram', outputs: ['trendDown'], colour: 'down' },
      { kind: 'line', outputs: ['explosion'], colour: 1 },
      { kind: 'line', outputs: ['deadZone'], colour: 'quiet' },
    ],
  }),
  damiani: indicator({
    title: 'Damiani Volatmeter',
    description:
      'Compares short with long volatility, and with a line made of dispersions, to tell whether a market has enough life to be traded. Below that line one should stay out. It is slow to notice a start.',
    related: ['waddahattar', 'chop'],
    tier: 2,
    inputs: ['high', 'low', 'close'],
    params: {
      visAtr: period(13, 1),
      visStd: period(20),
      sedAtr: period(40, 1),
      sedStd: period(100),
      threshold: factor(1.4, 0, 100),
    },
    outputs: [
      startingAfter((p: Numbers<'visAtr' | 'sedAtr'>) => Math.max(p.visAtr, p.sedAtr), 'volatility'),
      startingAfter((p: Numbers<'visStd' | 'sedStd'>) => Math.max(p.visStd, p.sedStd) - 1, 'antiTrend'),
    ],
    lookback: p => Math.max(p.visAtr, p.sedAtr, p.visStd - 1, p.sedStd - 1),
    // Two averages, and the volatility of the last three candles.
    state: 2 * exponentialState + 3,
    scratch: 2,
    memory: { fading: p => chain([wilder(Math.max(p.visAtr, p.sedAtr))], feedback([0.5, 0, -0.5])) },
  }),
  williamsvixfix: indicator({
    title: 'Williams VIX Fix',
    description:
      'The distance of the low below the highest close of the window, in percent: what an index of expected volatility shows of any market. Peaks mark fear, often at lows. It measures falls only, so it says nothing about tops.',
    related: ['ulcerindex', 'drawdown', 'percentb'],
    tier: 2,
    otherNames: ['vix fix', 'WVF', 'synthetic VIX'],
    inputs: ['low', 'close'],
    params: { period: period(22, 1) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 2,
    memory: 'finite',
  }),
}
