import { factor, indicator, signal } from '../define.js'

export const stars = {
  abandonedbaby: indicator({
    title: 'Abandoned Baby',
    description:
      'A doji that is separated by gaps on both sides, between two candles of opposite colour. A strong reversal where gaps exist; markets that trade all day have none.',
    related: ['morningdojistar', 'islandreversal'],
    namesElsewhere: {
      talib: 'CDLABANDONEDBABY',
      pandasta: 'cdl_abandonedbaby',
      lean: 'AbandonedBaby',
      taapi: 'abandonedbaby',
    },
    inputs: ['open', 'high', 'low', 'close'],
    params: { penetration: factor(0.3, 0, 1) },
    outputs: [signal('value')],
    lookback: 12,
    memory: 'finite',
  }),
  dojistar: indicator({
    title: 'Doji Star',
    description:
      'A doji that gaps away from a long body. The trend hesitates. It needs the next candle to be a signal.',
    related: ['eveningdojistar', 'morningdojistar'],
    namesElsewhere: { talib: 'CDLDOJISTAR', pandasta: 'cdl_dojistar', lean: 'DojiStar', taapi: 'dojistar' },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 11,
    scratch: 2,
    memory: 'finite',
  }),
  eveningdojistar: indicator({
    title: 'Evening Doji Star',
    description:
      'A long white candle, a doji above it, and a black candle deep into the first body. The evening star in its stronger form.',
    related: ['eveningstar', 'morningdojistar'],
    namesElsewhere: {
      talib: 'CDLEVENINGDOJISTAR',
      pandasta: 'cdl_eveningdojistar',
      lean: 'EveningDojiStar',
      taapi: 'eveningdojistar',
    },
    inputs: ['open', 'high', 'low', 'close'],
    params: { penetration: factor(0.3, 0, 1) },
    outputs: [signal('value')],
    lookback: 12,
    memory: 'finite',
  }),
  eveningstar: indicator({
    title: 'Evening Star',
    description:
      'A long white candle, a small body above it, and a black candle deep into the first body. It marks the end of a rise. The gap that it needs is missing in many markets.',
    related: ['morningstar', 'eveningdojistar'],
    namesElsewhere: {
      talib: 'CDLEVENINGSTAR',
      pandasta: 'cdl_eveningstar',
      ta4j: 'EveningStar',
      lean: 'EveningStar',
      taapi: 'eveningstar',
    },
    inputs: ['open', 'high', 'low', 'close'],
    params: { penetration: factor(0.3, 0, 1) },
    outputs: [signal('value')],
    lookback: 12,
    memory: 'finite',
  }),
  morningdojistar: indicator({
    title: 'Morning Doji Star',
    description:
      'A long black candle, a doji below it, and a white candle deep into the first body. The morning star in its stronger form.',
    related: ['morningstar', 'eveningdojistar'],
    namesElsewhere: {
      talib: 'CDLMORNINGDOJISTAR',
      pandasta: 'cdl_morningdojistar',
      lean: 'MorningDojiStar',
      taapi: 'morningdojistar',
    },
    inputs: ['open', 'high', 'low', 'close'],
    params: { penetration: factor(0.3, 0, 1) },
    outputs: [signal('value')],
    lookback: 12,
    memory: 'finite',
  }),
  morningstar: indicator({
    title: 'Morning Star',
    description:
      'A long black candle, a small body below it, and a white candle deep into the first body. It marks the end of a fall. The gap is missing in many markets.',
    related: ['eveningstar', 'morningdojistar'],
    namesElsewhere: {
      talib: 'CDLMORNINGSTAR',
      pandasta: 'cdl_morningstar',
      ta4j: 'MorningStar',
      lean: 'MorningStar',
      taapi: 'morningstar',
    },
    inputs: ['open', 'high', 'low', 'close'],
    params: { penetration: factor(0.3, 0, 1) },
    outputs: [signal('value')],
    lookback: 12,
    memory: 'finite',
  }),
  tristar: indicator({
    title: 'Tristar Pattern',
    description:
      'Three dojis, the middle one apart from the others. It is read as a turn after a long trend. It is hardly ever seen.',
    related: ['doji', 'abandonedbaby'],
    namesElsewhere: { talib: 'CDLTRISTAR', pandasta: 'cdl_tristar', lean: 'Tristar', taapi: 'tristar' },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 12,
    memory: 'finite',
  }),
}
