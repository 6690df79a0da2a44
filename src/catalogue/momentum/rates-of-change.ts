import { atMost, factor, indicator, type Numbers, period, startingAfter } from '../define.js'

/** Candles before the first value of a Special K: the longest distance and its window, scaled. */
const longestRate = ({ scale }: Numbers<'scale'>) => {
  const scaled = (candles: number) => Math.max(1, Math.floor(candles * scale + 0.5))
  return scaled(530) + scaled(195) - 1
}

/** Candles before the first value of a Know Sure Thing. */
const sureThing = (
  p: Readonly<Record<'roc1' | 'roc2' | 'roc3' | 'roc4' | 'sma1' | 'sma2' | 'sma3' | 'sma4', number>>,
) => Math.max(p.roc1 + p.sma1, p.roc2 + p.sma2, p.roc3 + p.sma3, p.roc4 + p.sma4) - 1

export const ratesOfChange = {
  mom: indicator({
    title: 'Momentum',
    description:
      'The price now less the price some candles ago. Above zero the market is higher than then; the turn of the line often comes before that of the price. The result is in units of the price and depends as much on the old candle as on the new one.',
    related: ['roc', 'momdivergence', 'acceleration'],
    otherNames: ['ta.change'],
    namesElsewhere: { talib: 'MOM', tulip: 'mom', pandasta: 'mom', lean: 'Momentum', taapi: 'mom' },
    inputs: ['close'],
    params: { period: period(10, 1) },
    outputs: ['value'],
    degree: [1, 0],
    lookback: p => p.period,
    memory: 'finite',
  }),
  roc: indicator({
    title: 'Rate of change',
    description:
      'The change over some candles in percent. It is the simplest measure of momentum and can be compared between markets. A large candle at the far end of the window moves it as much as one today.',
    related: ['rocp', 'rocr', 'mom', 'kst'],
    namesElsewhere: {
      talib: 'ROC',
      tulip: 'roc',
      pandasta: 'roc',
      skender: 'ROC',
      ta4j: 'ROC',
      lean: 'RateOfChange',
      taapi: 'roc',
    },
    inputs: ['close'],
    params: { period: period(10, 1) },
    outputs: ['value'],
    lookback: p => p.period,
    memory: 'finite',
  }),
  rocp: indicator({
    title: 'Rate of change Percentage',
    description:
      'The change over some candles as a fraction of the old price: 0.05 for five percent. It is the rate of change without the factor of one hundred.',
    related: ['roc', 'rocr', 'percentreturn'],
    namesElsewhere: { talib: 'ROCP', pandasta: 'rocp', lean: 'RateOfChangePercent', taapi: 'rocp' },
    inputs: ['close'],
    params: { period: period(10, 1) },
    outputs: ['value'],
    lookback: p => p.period,
    memory: 'finite',
  }),
  rocr: indicator({
    title: 'Rate of change ratio',
    description:
      'The price divided by the price some candles ago: 1 means no change. Products of such ratios give the growth over longer times, which sums of percentages do not.',
    related: ['roc', 'rocr100', 'rocp'],
    namesElsewhere: {
      talib: 'ROCR',
      tulip: 'rocr',
      pandasta: 'rocr',
      lean: 'RateOfChangeRatio',
      taapi: 'rocr',
    },
    inputs: ['close'],
    params: { period: period(10, 1) },
    outputs: ['value'],
    lookback: p => p.period,
    memory: 'finite',
  }),
  rocr100: indicator({
    title: 'Rate of change ratio 100 scale',
    description:
      'The price divided by the price some candles ago, times one hundred: 100 means no change. It is read like the rate of change around 100 instead of zero.',
    related: ['rocr', 'roc'],
    otherNames: ['TD ROC'],
    namesElsewhere: { talib: 'ROCR100', pandasta: 'rocr100', taapi: 'rocr100' },
    inputs: ['close'],
    params: { period: period(10, 1) },
    outputs: ['value'],
    lookback: p => p.period,
    memory: 'finite',
  }),
  rocbands: indicator({
    title: 'Rate of Change with Bands',
    description:
      'A rate of change with bands of its own dispersion around zero. Beyond the bands the change is unusual for the window. Bands adapt only after volatility has changed.',
    related: ['roc', 'bbands'],
    namesElsewhere: { skender: 'ROC-WB' },
    inputs: ['close'],
    params: { period: period(20, 1), smoothPeriod: period(5, 1), deviationPeriod: period(5, 1) },
    outputs: [
      startingAfter((p: Numbers<'period'>) => p.period, 'value'),
      startingAfter((p: Numbers<'period' | 'smoothPeriod'>) => p.period + p.smoothPeriod - 1, 'average'),
      startingAfter((p: Numbers<'period' | 'deviationPeriod'>) => p.period + p.deviationPeriod - 1, 'upper'),
      startingAfter((p: Numbers<'period' | 'deviationPeriod'>) => p.period + p.deviationPeriod - 1, 'lower'),
    ],
    lookback: p => p.period + Math.max(p.smoothPeriod, p.deviationPeriod) - 1,
    state: p => 2 + p.deviationPeriod - 1,
    scratch: 2,
    memory: 'fading',
  }),
  pd: indicator({
    title: 'Price direction',
    description:
      'How many of the last candles closed above their open less how many closed below, from −1 to 1. It counts colours only: near 1 nearly all were white. The size of the candles and the gaps between them do not appear.',
    related: ['roc', 'mom'],
    namesElsewhere: { taapi: 'pd' },
    inputs: ['open', 'close'],
    params: { period: period(5, 1) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 2,
    memory: 'finite',
  }),
  acceleration: indicator({
    title: 'Acceleration',
    description:
      'The change of momentum: the second difference of the price. It turns before momentum does. Differences of differences are mostly noise on short timeframes.',
    related: ['mom', 'jerk', 'accosc'],
    tier: 3,
    inputs: ['close'],
    outputs: ['value'],
    degree: [1, 0],
    lookback: 2,
    memory: 'finite',
  }),
  coppockcurve: indicator({
    title: 'Coppock Curve',
    description:
      "A weighted average of two long rates of change, made for monthly charts of share indices. A turn upwards below zero was Coppock's signal for a long rise. On short timeframes it has no tested meaning.",
    related: ['kst', 'roc', 'specialk'],
    otherNames: ['Coppock'],
    namesElsewhere: {
      talib: 'COPPOCK (development)',
      tulip: 'copp (beta)',
      pandasta: 'coppock',
      ta4j: 'CoppockCurve',
      lean: 'CoppockCurve',
      taapi: 'coppockcurve',
    },
    inputs: ['close'],
    params: { wmaPeriod: period(10, 1), longRoc: period(14, 1), shortRoc: period(11, 1) },
    relations: [atMost('shortRoc', 'longRoc')],
    outputs: ['value'],
    lookback: p => p.longRoc + p.wmaPeriod - 1,
    scratch: 2,
    memory: 'finite',
  }),
  kst: indicator({
    title: 'Know Sure Thing',
    description:
      'The weighted sum of four smoothed rates of change of growing length, with a signal line. It joins short and long cycles into one line. With so many parts, its size has no meaning of its own; only direction and crossings count.',
    related: ['specialk', 'coppockcurve', 'roc'],
    otherNames: ['KSTEXT'],
    namesElsewhere: {
      talib: 'KST (development)',
      tulip: 'kst (beta)',
      pandasta: 'kst',
      ta4j: 'KST',
      lean: 'KnowSureThing',
    },
    inputs: ['close'],
    params: {
      roc1: period(10, 1, 300),
      roc2: period(15, 1, 300),
      roc3: period(20, 1, 300),
      roc4: period(30, 1, 300),
      sma1: period(10, 1, 300),
      sma2: period(10, 1, 300),
      sma3: period(10, 1, 300),
      sma4: period(15, 1, 300),
      signalPeriod: period(9, 1, 300),
    },
    outputs: [startingAfter(sureThing, 'value'), 'signal'],
    lookback: p => sureThing(p) + p.signalPeriod - 1,
    scratch: 4,
    memory: 'finite',
  }),
  specialk: indicator({
    title: "Pring's Special K",
    description:
      "Pring's sum of many smoothed rates of change from weeks to years, meant to show the primary trend and its corrections in one line. Its first value needs 725 candles, 363 with `scale` 0.5, and its turns come late.",
    related: ['kst', 'coppockcurve'],
    tier: 2,
    inputs: ['close'],
    params: { scale: factor(1, 0.01, 1), signalPeriod: period(10, 1, 250) },
    outputs: [startingAfter(longestRate, 'value'), 'signal'],
    lookback: p => longestRate(p) + p.signalPeriod - 1,
    scratch: 4,
    memory: 'finite',
  }),
  pmo: indicator({
    title: 'Price Momentum Oscillator',
    description:
      "A rate of change smoothed twice in its author's own way, with a signal line. It behaves like a percentage MACD with very long memory. Comparisons between markets are possible, exact turning points are not its strength.",
    related: ['ppo', 'roc', 'trix'],
    namesElsewhere: { skender: 'PMO' },
    inputs: ['close'],
    params: {
      longPeriod: period(35, 2, 400),
      shortPeriod: period(20, 2, 300),
      signalPeriod: period(10, 1, 250),
    },
    relations: [atMost('shortPeriod', 'longPeriod')],
    outputs: [
      startingAfter((p: Numbers<'longPeriod' | 'shortPeriod'>) => p.longPeriod + p.shortPeriod - 1, 'value'),
      'signal',
    ],
    lookback: p => p.longPeriod + p.shortPeriod + p.signalPeriod - 2,
    state: 6,
    memory: 'fading',
  }),
  trix: indicator({
    title: 'TRIX',
    description:
      'The change in percent of an average that was smoothed three times, which removes all but the longer swings. Crossings of zero follow the trend. It is slow by design: what it shows is settled, and late.',
    related: ['trixhistogram', 'tema', 'kst'],
    namesElsewhere: {
      talib: 'TRIX',
      tulip: 'trix',
      pandasta: 'trix',
      skender: 'TRIX',
      lean: 'Trix',
      taapi: 'trix',
    },
    inputs: ['close'],
    params: { period: period(30, 1, 300) },
    outputs: ['value'],
    lookback: p => 3 * (p.period - 1) + 1,
    state: 3,
    memory: 'fading',
  }),
  trixhistogram: indicator({
    title: 'TRIX with Signal and Histogram',
    description:
      'TRIX with a signal line and the difference of the two. The histogram turns before TRIX itself does, which makes up for a part of its lag. In ranges the extra line adds crossings that mean nothing.',
    related: ['trix', 'macd'],
    namesElsewhere: { pandasta: 'trixh' },
    inputs: ['close'],
    params: { period: period(18, 1, 200), signalPeriod: period(9, 1, 300) },
    outputs: [startingAfter((p: Numbers<'period'>) => 3 * p.period - 2, 'value'), 'signal', 'histogram'],
    lookback: p => 3 * p.period - 2 + p.signalPeriod - 1,
    state: p => 4 + p.signalPeriod - 1,
    scratch: 3,
    memory: 'fading',
  }),
}
