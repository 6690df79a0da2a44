import { indicator, period } from '../define.js'

/** Indicators of the effect of volume on prices. */
export const marketImpact = {
  marketfi: indicator({
    title: 'Market Facilitation Index',
    description:
      'The range of a candle per unit of volume. Compared with the volume it tells whether new money moves the price. Its size means nothing by itself.',
    related: ['eom', 'volume'],
    namesElsewhere: {
      talib: 'MARKETFI (development)',
      tulip: 'marketfi',
      pandasta: 'marketfi',
      ta4j: 'MarketFacilitationIndex',
      taapi: 'marketfi',
    },
    inputs: ['high', 'low', 'volume'],
    outputs: ['value'],
    degree: [1, -1],
    lookback: 0,
    memory: 'finite',
  }),
  amihud: indicator({
    title: 'Amihud Illiquidity',
    description:
      'The absolute return per unit of money traded: how much the price gives way. High values mean an illiquid market. Volumes of exchanges that report too much hide it.',
    related: ['rollspread', 'kyleslambda'],
    tier: 3,
    inputs: ['close', 'volume'],
    params: { period: period(20, 1) },
    outputs: ['value'],
    degree: [-1, -1],
    lookback: p => p.period,
    scratch: 2,
    memory: 'finite',
  }),
  rollspread: indicator({
    title: 'Roll Spread',
    description:
      'Estimates the spread between bid and ask from how changes of price alternate. It needs only closes. In trends they do not alternate, and it is 0.',
    related: ['amihud', 'kyleslambda'],
    tier: 3,
    inputs: ['close'],
    params: { period: period(20) },
    outputs: ['value'],
    degree: [1, 0],
    lookback: p => p.period + 1,
    scratch: 6,
    memory: 'finite',
  }),
  kyleslambda: indicator({
    title: 'Kyle’s Lambda',
    description:
      'The slope of changes of price on signed volume: the impact of an order. Signs are guessed from candles, so it is a rough number.',
    related: ['amihud', 'rollspread'],
    tier: 3,
    inputs: ['close', 'volume'],
    params: { period: period(20) },
    outputs: ['value'],
    degree: [1, -1],
    lookback: p => p.period,
    scratch: 7,
    memory: 'finite',
  }),
}
