import { averageKeeps, averageLookback, averageState } from '../average.js'
import { factor, indicator, integer, maType, type Numbers, period, startingAfter } from '../define.js'
import { exponentialState } from '../exponential-average.js'
import { exponential, wilder } from '../fading.js'

type Cloud = Readonly<Record<'conversionPeriod' | 'basePeriod' | 'spanPeriod' | 'displacement', number>>

/** Candles before the first value of a span of the Ichimoku cloud that is `times` displacements old. */
const spanAStart = (times: number) => (p: Cloud) =>
  Math.max(p.conversionPeriod, p.basePeriod) - 1 + times * p.displacement
const spanBStart = (times: number) => (p: Cloud) => p.spanPeriod - 1 + times * p.displacement

export const channels = {
  accbands: indicator({
    title: 'Acceleration Bands',
    description:
      "Bands that widen with the size of candles relative to their price. Two closes outside them were their author's sign of acceleration. They are asymmetric and react to single wide candles.",
    related: ['bbands', 'keltnerchannels'],
    namesElsewhere: {
      talib: 'ACCBANDS',
      tulip: 'abands (beta)',
      pandasta: 'accbands',
      lean: 'AccelerationBands',
      taapi: 'accbands',
    },
    inputs: ['high', 'low', 'close'],
    params: { period: period(20) },
    outputs: ['valueRealUpperBand', 'valueRealMiddleBand', 'valueRealLowerBand'],
    lookback: p => p.period - 1,
    scratch: 3,
    memory: 'finite',
    overlay: true,
  }),
  bbands: indicator({
    title: 'Bollinger Bands',
    description:
      'A moving average with lines a number of standard deviations above and below. Narrow bands show quiet before movement, touches of a band an unusual price. In trends the price walks along a band, so a touch is no reversal by itself.',
    related: ['bbw', 'percentb', 'keltnerchannels', 'squeeze'],
    otherNames: ['BB', 'Bollinger'],
    namesElsewhere: {
      talib: 'BBANDS',
      tulip: 'bbands',
      pandasta: 'bbands',
      skender: 'BB',
      lean: 'BollingerBands',
      taapi: 'bbands',
    },
    inputs: ['close'],
    params: { period: period(20), stddev: factor(2, -3e37, 3e37), maType: maType() },
    outputs: ['valueUpperBand', 'valueMiddleBand', 'valueLowerBand'],
    lookback: p => Math.max(averageLookback(p.maType, p.period), p.period - 1),
    state: p => averageState(p.maType, p.period),
    scratch: 3,
    memory: { fading: p => averageKeeps(p.maType, p.period) },
    overlay: true,
  }),
  donchianchannels: indicator({
    title: 'Donchian Channels',
    description:
      'The highest high and the lowest low of a window and their middle. A new high of the window is the classic breakout. Width and breakouts depend on single candles.',
    related: ['midprice', 'turtlesoup', 'highestbars'],
    otherNames: ['Price channel', 'Price channels', 'DC'],
    namesElsewhere: {
      talib: 'DONCHIAN (development)',
      tulip: 'dc (beta)',
      pandasta: 'donchian',
      skender: 'DONCHIAN',
      lean: 'DonchianChannel',
      taapi: 'donchianchannels',
    },
    inputs: ['high', 'low'],
    params: { period: period(20, 1) },
    outputs: ['upper', 'middle', 'lower'],
    lookback: p => p.period - 1,
    scratch: 1,
    memory: 'finite',
    overlay: true,
  }),
  keltnerchannels: indicator({
    title: 'Keltner Channels',
    description:
      'An exponential average with lines a multiple of the average true range away. Closes outside show strength. They are smoother than the Bollinger Bands and slower to widen.',
    related: ['bbands', 'starcbands', 'atrbands', 'squeeze'],
    otherNames: ['KC', 'Keltner'],
    namesElsewhere: {
      talib: 'KC (development)',
      tulip: 'kc (beta)',
      pandasta: 'kc',
      skender: 'KELTNER',
      lean: 'KeltnerChannels',
      taapi: 'keltnerchannels',
    },
    inputs: ['high', 'low', 'close'],
    params: { period: period(20, 1), multiplier: factor(2, 0, 100), atrLength: period(10, 1) },
    outputs: ['lower', startingAfter((p: Numbers<'period'>) => p.period - 1, 'middle'), 'upper'],
    lookback: p => Math.max(p.period - 1, p.atrLength),
    state: 2 * exponentialState,
    scratch: 1,
    memory: { fading: p => [Math.max(exponential(p.period), wilder(p.atrLength))] },
    overlay: true,
  }),
  maenvelope: indicator({
    title: 'Moving Average Envelope',
    description:
      'Lines a fixed percentage above and below a moving average. Prices at the lines are far from their mean; in ranges they tend to return. The percentage does not adapt to volatility, which the Bollinger Bands do.',
    related: ['bbands', 'keltnerchannels', 'ma'],
    otherNames: ['Envelopes', 'MA envelopes'],
    namesElsewhere: { skender: 'MA-ENV' },
    inputs: ['close'],
    params: { period: period(20, 1), percent: factor(2.5, 0, 100), maType: maType() },
    outputs: ['upper', 'middle', 'lower'],
    lookback: p => averageLookback(p.maType, p.period),
    state: p => averageState(p.maType, p.period),
    scratch: 3,
    memory: { fading: p => averageKeeps(p.maType, p.period) },
    overlay: true,
  }),
  nadarayawatson: indicator({
    title: 'Nadaraya-Watson Envelope',
    description:
      'A mean with bell weights over a long window and bands around it, in the form that uses past candles only. The price outside the bands is far from its smooth course. The popular version looks ahead and repaints; this one lags instead.',
    related: ['gaussianfilter', 'bbands', 'alma'],
    inputs: ['close'],
    params: { bandwidth: factor(8, 0.1, 500), multiplier: factor(3, 0, 100), lookback: period(200, 3) },
    outputs: ['upper', 'middle', 'lower'],
    lookback: p => 2 * p.lookback - 3,
    state: p => 1 + p.lookback + p.lookback - 2,
    scratch: 2,
    memory: 'finite',
    overlay: true,
  }),
  ichimoku: indicator({
    title: 'Ichimoku Cloud',
    description:
      'Five lines in one picture: two middle lines, a cloud drawn ahead, and the close drawn back. Above the cloud the trend is up, within it undecided. The lines are middles of ranges and react in steps.',
    related: ['midprice', 'donchianchannels'],
    otherNames: ['Ichimoku Kinko Hyo'],
    namesElsewhere: {
      pandasta: 'ichimoku',
      skender: 'ICHIMOKU',
      lean: 'IchimokuKinkoHyo',
      taapi: 'ichimoku',
    },
    inputs: ['high', 'low'],
    params: {
      conversionPeriod: period(9, 1),
      basePeriod: period(26, 1),
      spanPeriod: period(52, 1),
      displacement: integer(26, 0, 250),
    },
    outputs: [
      startingAfter((p: Numbers<'conversionPeriod'>) => p.conversionPeriod - 1, 'conversion'),
      startingAfter((p: Numbers<'basePeriod'>) => p.basePeriod - 1, 'base'),
      startingAfter(spanAStart(0), 'spanA'),
      startingAfter(spanBStart(0), 'spanB'),
      startingAfter(spanAStart(1), 'currentSpanA'),
      startingAfter(spanBStart(1), 'currentSpanB'),
      startingAfter(spanAStart(2), 'laggingSpanA'),
      startingAfter(spanBStart(2), 'laggingSpanB'),
    ],
    lookback: p => Math.max(p.conversionPeriod, p.basePeriod, p.spanPeriod) - 1 + 2 * p.displacement,
    scratch: 5,
    memory: 'finite',
    overlay: true,
    drawing: [
      { kind: 'cloud', outputs: ['spanA', 'spanB'], ahead: 'displacement' },
      { kind: 'line', outputs: ['conversion'], colour: 1 },
      { kind: 'line', outputs: ['base'], colour: 2 },
      {
        kind: 'line',
        outputs: [],
        price: 'close',
        colour: 3,
        behind: 'displacement',
        label: 'lagging span',
      },
    ],
  }),
  midpoint: indicator({
    title: 'MidPoint over period',
    description:
      'The middle between the highest and the lowest close of a window. It is a slow baseline that moves in steps. Only extremes matter to it, all else in the window does not.',
    related: ['midprice', 'donchianchannels'],
    namesElsewhere: { talib: 'MIDPOINT', pandasta: 'midpoint', lean: 'MidPoint', taapi: 'midpoint' },
    inputs: ['close'],
    params: { period: period(14) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 1,
    memory: 'finite',
    overlay: true,
  }),
  midprice: indicator({
    title: 'Midpoint Price over period',
    description:
      'The middle between the highest high and the lowest low of a window, the building block of the Ichimoku lines. Flat stretches mark levels to which prices like to return. A single spike holds it for the whole window.',
    related: ['midpoint', 'ichimoku', 'donchianchannels'],
    namesElsewhere: { talib: 'MIDPRICE', pandasta: 'midprice', lean: 'MidPrice', taapi: 'midprice' },
    inputs: ['high', 'low'],
    params: { period: period(14) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 1,
    memory: 'finite',
    overlay: true,
  }),
}
