import { atMost, factor, indicator, type Numbers, period, startingAfter } from '../define.js'
import { exponential } from '../fading.js'

export const volumeMomentum = {
  mfi: indicator({
    title: 'Money Flow Index',
    description:
      'An RSI of money flow: typical price times volume of rising candles against that of falling ones. Levels of 80 and 20 are read like those of the RSI, and divergences are said to show moves without volume behind them. Where volumes are unreliable it is worth no more than they are.',
    related: ['rsi', 'cmf', 'mfidivergence'],
    namesElsewhere: {
      talib: 'MFI',
      tulip: 'mfi',
      pandasta: 'mfi',
      skender: 'MFI',
      ta4j: 'MoneyFlowIndex',
      lean: 'MoneyFlowIndex',
      taapi: 'mfi',
    },
    inputs: ['high', 'low', 'close', 'volume'],
    params: { period: period(14) },
    outputs: ['value'],
    lookback: p => p.period,
    scratch: 4,
    memory: 'finite',
    // Quong and Soudack, Volume-Weighted RSI: Money Flow, Stocks & Commodities (March 1989).
    scale: { minimum: 0, maximum: 100, levels: [20, 80] },
  }),
  eom: indicator({
    title: 'Ease of Movement',
    description:
      'Relates the move of the middle price to the volume per range: large values mean that the market moves on little volume. A rise above zero is read as an easy advance. It is very uneven and needs smoothing.',
    related: ['emv', 'marketfi', 'forceindex'],
    namesElsewhere: {
      talib: 'EMV (development)',
      tulip: 'emv',
      pandasta: 'emv eom',
      ta4j: 'EaseOfMovement',
      lean: 'EaseOfMovementValue',
      taapi: 'eom',
    },
    inputs: ['high', 'low', 'volume'],
    params: { period: period(14, 1), divisor: factor(10_000, 1, 1e12) },
    outputs: ['value'],
    degree: [2, -1],
    lookback: p => p.period,
    scratch: 2,
    memory: 'finite',
    scale: { levels: [0] },
  }),
  vosc: indicator({
    title: 'Volume Oscillator',
    description:
      'The difference of a short and a long average of volume, in percent of the long one. A rise means growing activity. It has no direction: heavy selling raises it as buying does.',
    related: ['pvo', 'vroc', 'relativevolume'],
    otherNames: ['VO', 'Volume oscillator'],
    namesElsewhere: { tulip: 'vosc', pandasta: 'vosc', taapi: 'vosc' },
    inputs: ['volume'],
    params: { short_period: period(5, 1), long_period: period(10, 1) },
    relations: [atMost('short_period', 'long_period')],
    outputs: ['value'],
    lookback: p => p.long_period - 1,
    scratch: 2,
    memory: 'finite',
    scale: { levels: [0] },
  }),
  vwmacd: indicator({
    title: 'Volume-Weighted MACD',
    description:
      'A MACD whose averages are weighted by volume. Moves with much trading count more, quiet ones hardly. Where volume comes in a few large prints, it jumps with them.',
    related: ['macd', 'vwma'],
    namesElsewhere: { pandasta: 'vwmacd' },
    inputs: ['close', 'volume'],
    params: { fastPeriod: period(12, 1), slowPeriod: period(26, 1), signalPeriod: period(9, 1) },
    relations: [atMost('fastPeriod', 'slowPeriod')],
    outputs: [startingAfter((p: Numbers<'slowPeriod'>) => p.slowPeriod - 1, 'value'), 'signal', 'histogram'],
    degree: [1, 0],
    lookback: p => p.slowPeriod + p.signalPeriod - 2,
    state: 2,
    scratch: 3,
    memory: { fading: p => [exponential(p.signalPeriod)] },
    scale: { levels: [0] },
  }),
}
