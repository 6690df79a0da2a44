import { choice, factor, indicator, type Numbers, period, startingAfter } from '../define.js'
import { exponentialState } from '../exponential-average.js'
import { exponential, wilder } from '../fading.js'

export const priceDistances = {
  cci: indicator({
    title: 'Commodity Channel Index',
    description:
      'Shows how far the typical price is from its mean in units of its mean deviation; about three quarters of the values lie between −100 and 100. Some trade moves beyond these limits as breakouts, others as exhaustion. It has no bounds, so what is extreme must be judged for each market.',
    related: ['woodiescci', 'ccidivergence', 'zscore', 'pgo'],
    otherNames: ['Commodity channel'],
    namesElsewhere: {
      talib: 'CCI',
      tulip: 'cci',
      pandasta: 'cci',
      skender: 'CCI',
      ta4j: 'CCI',
      lean: 'CommodityChannelIndex',
      taapi: 'cci',
    },
    inputs: ['high', 'low', 'close'],
    params: { period: period(14), tp: choice('hlc3', 'close') },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 2,
    memory: 'finite',
    // Lambert, Commodity Channel Index, Commodities (October 1980).
    scale: { levels: [-100, 0, 100] },
  }),
  woodiescci: indicator({
    title: 'Woodies CCI',
    description:
      'Two CCIs, a long one for the trend and a short turbo one for entries, as Woodie trades them without looking at the price. Patterns such as a rejection of zero give the entries. The rules leave much to the eye.',
    related: ['cci'],
    tier: 2,
    inputs: ['high', 'low', 'close'],
    params: { period: period(14), turboPeriod: period(6) },
    outputs: [
      startingAfter((p: Numbers<'period'>) => p.period - 1, 'value'),
      startingAfter((p: Numbers<'turboPeriod'>) => p.turboPeriod - 1, 'turbo'),
      'histogram',
    ],
    lookback: p => Math.max(p.period, p.turboPeriod) - 1,
    scratch: 2,
    memory: 'finite',
    // Woodie's CCI Club.
    scale: { levels: [-200, -100, 0, 100, 200] },
  }),
  ccicycle: indicator({
    title: 'CCI Cycle',
    description:
      'A CCI that is smoothed and put through two stochastics, from 0 to 100, as the Schaff trend cycle does with the MACD. It changes sides quickly. Small pauses are shown as large swings.',
    related: ['stc', 'cci'],
    tier: 3,
    inputs: ['close'],
    params: { period: period(10, 3, 240), factor: factor(0.5, 0.01, 1) },
    outputs: ['value'],
    lookback: p => 4 * p.period + Math.round(Math.sqrt(p.period)) - 5,
    state: p => 5 * exponentialState + 2 * (p.period - 1),
    scratch: 4,
    memory: {
      fading: p => [
        exponential(p.period),
        wilder(Math.round(Math.sqrt(p.period))),
        1 - p.factor,
        1 - p.factor,
      ],
    },
    scale: { minimum: 0, maximum: 100, levels: [] },
  }),
  wavetrend: indicator({
    title: 'WaveTrend Oscillator',
    description:
      'The distance of the typical price from its average, in units of its mean distance, smoothed, with a second line. Crossings beyond ±50 or ±60 are used as turns. It resembles a smoothed CCI, and has the same trouble with trends.',
    related: ['cci', 'stoch', 'tsi'],
    otherNames: ['WTO', 'WT'],
    namesElsewhere: { lean: 'WaveTrendOscillator' },
    inputs: ['high', 'low', 'close'],
    params: {
      channelPeriod: period(10, 2, 300),
      averagePeriod: period(21, 1, 300),
      signalPeriod: period(4, 1, 100),
    },
    outputs: [
      startingAfter(
        (p: Numbers<'channelPeriod' | 'averagePeriod'>) => 2 * p.channelPeriod + p.averagePeriod - 3,
        'value',
      ),
      'signal',
    ],
    lookback: p => 2 * p.channelPeriod + p.averagePeriod + p.signalPeriod - 4,
    state: p => 10 + exponentialState + p.signalPeriod - 1,
    scratch: 2,
    memory: {
      fading: p => [exponential(p.channelPeriod), exponential(p.channelPeriod), exponential(p.averagePeriod)],
    },
    // LazyBear, WaveTrend Oscillator (TradingView).
    scale: { levels: [-60, -53, 0, 53, 60] },
  }),
  pgo: indicator({
    title: 'Pretty Good Oscillator',
    description:
      'The distance of the close from its average in units of an average of the true range. Its author bought above 3 and sold below −3, as breakouts. The same numbers are read by others as exhaustion.',
    related: ['cci', 'disparityindex', 'atr'],
    namesElsewhere: { pandasta: 'pgo' },
    inputs: ['high', 'low', 'close'],
    params: { period: period(14, 1) },
    outputs: ['value'],
    lookback: p => p.period,
    state: exponentialState,
    scratch: 2,
    memory: { fading: p => [exponential(p.period)] },
    // Johnson, Pretty Good Oscillator.
    scale: { levels: [-3, 0, 3] },
  }),
  disparityindex: indicator({
    title: 'Disparity Index',
    description:
      'The distance of the price from its moving average, in percent. Large distances tend to be followed by a return to the average. What is large depends on the market and must be measured there.',
    related: ['bbands', 'zscore', 'pricedistance'],
    otherNames: ['KRI', 'Kairi', 'Kairi relative index', 'BIAS'],
    namesElsewhere: { pandasta: 'bias', ta4j: 'KRI' },
    inputs: ['close'],
    params: { period: period(14) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 2,
    memory: 'finite',
    scale: { levels: [0] },
  }),
  dpo: indicator({
    title: 'Detrended Price Oscillator',
    description:
      'Price less a moving average that is shifted back, so that the trend is taken out and cycles remain. Distances between its lows give the length of a cycle. It is no guide to the newest candles.',
    related: ['cog', 'detrendedsyntheticprice', 'coppockcurve'],
    namesElsewhere: {
      talib: 'DPO (development)',
      tulip: 'dpo',
      pandasta: 'dpo',
      skender: 'DPO',
      ta4j: 'DPO',
      lean: 'DetrendedPriceOscillator',
      taapi: 'dpo',
    },
    inputs: ['close'],
    params: { period: period(20, 1) },
    outputs: ['value'],
    degree: [1, 0],
    lookback: p => Math.max(p.period - 1, Math.floor(p.period / 2) + 1),
    scratch: 1,
    memory: 'finite',
    scale: { levels: [0] },
  }),
  fosc: indicator({
    title: 'Forecast Oscillator',
    description:
      'The difference between the close and the forecast of a regression line one candle before, in percent of the close. Above zero the price is higher than its line led to expect. Long trends keep it on one side.',
    related: ['tsf', 'linearreg'],
    namesElsewhere: { talib: 'FOSC (development)', tulip: 'fosc', pandasta: 'fosc cfo', taapi: 'fosc' },
    inputs: ['close'],
    params: { period: period(14) },
    outputs: ['value'],
    lookback: p => p.period,
    scratch: 1,
    memory: 'finite',
    scale: { levels: [0] },
  }),
}
