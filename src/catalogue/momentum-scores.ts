import { atMost, factor, indicator, type Numbers, period, startingAfter } from './define.js'

/** Candles before the first value of MAC-Z. */
const scored = (p: Readonly<Record<'slowPeriod' | 'deviationPeriod' | 'zPeriod', number>>) =>
  Math.max(p.slowPeriod, p.deviationPeriod, 2 * p.zPeriod - 1) - 1

/** Candles before the first value of TKE, whose longest window is that of the ultimate oscillator. */
const blended = (p: Numbers<'period'>) => Math.max(p.period, 28)

/** Oscillators made of others: scores, means and ranks of them. */
export const momentumScores = {
  macz: indicator({
    title: 'MAC-Z',
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
  }),
  netmyrsi: indicator({
    title: 'NET of MyRSI',
    inputs: ['close'],
    params: { period: period(14, 2, 400) },
    outputs: [startingAfter((p: Numbers<'period'>) => 2 * p.period - 1, 'value')],
    // The value that leaves the window belongs to the window's first candle.
    lookback: p => 2 * p.period,
    state: 2,
    scratch: 5,
    memory: 'finite',
  }),
  reversersi: indicator({
    title: 'Reverse RSI',
    inputs: ['close'],
    params: { period: period(14, 1), level: factor(50, 0.01, 99.99) },
    outputs: ['value'],
    lookback: p => p.period,
    state: 2,
    scratch: 2,
    memory: 'fading',
    overlay: true,
  }),
  tke: indicator({
    title: 'TKE',
    inputs: ['high', 'low', 'close', 'volume'],
    params: { period: period(14), signalPeriod: period(5, 1) },
    outputs: [startingAfter(blended, 'value'), 'signal'],
    lookback: p => blended(p) + p.signalPeriod - 1,
    state: 5,
    scratch: 6,
    memory: 'fading',
  }),
  dvdiqqe: indicator({
    title: 'DVDI-QQE',
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
  ccicycle: indicator({
    title: 'CCI Cycle',
    inputs: ['close'],
    params: { period: period(10, 3, 240), factor: factor(0.5, 0.01, 1) },
    outputs: ['value'],
    lookback: p => 4 * p.period + Math.round(Math.sqrt(p.period)) - 5,
    state: p => 5 + 2 * (p.period - 1),
    scratch: 4,
    memory: 'fading',
  }),
}
