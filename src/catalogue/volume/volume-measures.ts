import { flag, indicator, label, type Numbers, period, sparse, startingAfter } from '../define.js'

export const volumeMeasures = {
  volume: indicator({
    title: 'Volume',
    description:
      'The volume of each candle, negative where it closed below its open, so that a histogram shows the side by its sign. A quiet candle of a busy hour and a busy one of a quiet hour look alike.',
    related: ['relativevolume', 'vroc', 'netvolume'],
    namesElsewhere: { taapi: 'volume' },
    inputs: ['open', 'close', 'volume'],
    outputs: ['value'],
    degree: [0, 1],
    lookback: 0,
    memory: 'finite',
  }),
  volumesplit: indicator({
    title: 'Volume Split',
    description:
      "Splits each candle's volume into buying and selling by where it closes. It is an estimate; the true split needs the trades.",
    related: ['updownvolume', 'cmf'],
    otherNames: ['Volume delta'],
    namesElsewhere: { taapi: 'volumesplit' },
    inputs: ['high', 'low', 'close', 'volume'],
    outputs: ['valueTotal', 'valueBuy', 'valueSell', 'percentBuy', 'percentSell'],
    degree: { valueTotal: [0, 1], valueBuy: [0, 1], valueSell: [0, 1] },
    lookback: 0,
    memory: 'finite',
  }),
  relativevolume: indicator({
    title: 'Relative Volume',
    description:
      'Volume divided by its recent mean: 2 means twice the usual. It finds candles that deserve attention. Times of day with regular peaks look unusual each day.',
    related: ['volume', 'vroc', 'bettervolume'],
    otherNames: ['RVOL'],
    namesElsewhere: {
      talib: 'RVOL (development)',
      ta4j: 'RelativeVolumeStandardDeviation',
      lean: 'RelativeDailyVolume',
    },
    inputs: ['volume'],
    params: { period: period(20, 1) },
    outputs: ['value'],
    lookback: p => p.period,
    scratch: 1,
    memory: 'finite',
  }),
  updownvolume: indicator({
    title: 'Up/Down Volume Ratio',
    description:
      'Volume of rising candles over that of falling ones. Above 1 buyers are more active. One huge candle decides the ratio of a window.',
    related: ['volumesplit', 'obv'],
    tier: 2,
    inputs: ['close', 'volume'],
    params: { period: period(50, 1) },
    outputs: [sparse('value')],
    lookback: p => p.period,
    scratch: 4,
    memory: 'finite',
  }),
  netvolume: indicator({
    title: 'Net Volume',
    description:
      'The volume with the sign of the change of the close. It is the step of the on-balance volume, and shows single candles of strong buying or selling. One tick decides the sign.',
    related: ['obv'],
    tier: 2,
    inputs: ['close', 'volume'],
    outputs: ['value'],
    degree: [0, 1],
    lookback: 1,
    memory: 'finite',
  }),
  bettervolume: indicator({
    title: 'Better Volume',
    description:
      'Sorts candles by volume and range into climax, churn, both, low and ordinary ones. Climax marks ends of moves, churn turns. The classes are relative to the window.',
    related: ['relativevolume'],
    tier: 2,
    inputs: ['high', 'low', 'volume'],
    params: { period: period(20, 1), averagePeriod: period(100, 1) },
    outputs: [
      startingAfter(
        (p: Numbers<'period'>) => p.period - 1,
        label('value', { 0: 'none', 1: 'low', 2: 'climax', 3: 'churn', 4: 'climaxchurn', 5: 'lowchurn' }),
      ),
      startingAfter((p: Numbers<'averagePeriod'>) => p.averagePeriod - 1, 'average'),
    ],
    degree: [0, 1],
    lookback: p => Math.max(p.period, p.averagePeriod) - 1,
    // The last quotient, and those of the window before a candle.
    state: p => 1 + p.period - 1,
    scratch: 6,
    memory: 'whole',
  }),
  pricevolume: indicator({
    title: 'Price Volume',
    description:
      'Price times volume: about the money that changed hands in a candle. It finds liquid times and lets markets with different prices be compared. It has no direction unless it is signed.',
    related: ['volume', 'vwap'],
    namesElsewhere: { pandasta: 'pvol' },
    inputs: ['close', 'volume'],
    params: { signed: flag(false) },
    outputs: ['value'],
    degree: [1, 1],
    lookback: 0,
    state: 1,
    memory: 'whole',
  }),
  pricevolumerank: indicator({
    title: 'Price Volume Rank',
    description:
      'Sorts candles into four kinds by whether price and volume rise or fall. Averages of the rank are compared. Four steps are a rough scale.',
    related: ['volumeaccumulation'],
    namesElsewhere: { pandasta: 'pvr' },
    inputs: ['close', 'volume'],
    outputs: ['value'],
    lookback: 1,
    memory: 'finite',
  }),
  tdpressure: indicator({
    title: 'TD Pressure',
    description:
      "DeMark's volume times body over range, summed over a window as a share of all. It shows the side that leads within candles. Gaps do not appear in it.",
    related: ['bop', 'wvad'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close', 'volume'],
    params: { period: period(5) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 4,
    memory: 'finite',
  }),
}
