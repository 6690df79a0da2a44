import { factor, indicator, period, signal } from '../define.js'

export const dojis = {
  doji: indicator({
    title: 'Doji',
    description:
      'Open and close are nearly equal: neither side won. After long moves it can be a first sign of a turn; in ranges it means nothing.',
    related: ['longleggeddoji', 'dragonflydoji', 'gravestonedoji'],
    namesElsewhere: {
      talib: 'CDLDOJI',
      pandasta: 'cdl_doji',
      skender: 'DOJI',
      ta4j: 'Doji',
      lean: 'Doji',
      taapi: 'doji',
    },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 10,
    scratch: 1,
    memory: 'finite',
    drawing: [{ kind: 'mark', outputs: ['value'], colour: 'quiet' }],
  }),
  dragonflydoji: indicator({
    title: 'Dragonfly Doji',
    description:
      'A doji with a long lower and hardly any upper shadow. Buyers took back all of a fall. It counts after a fall only.',
    related: ['gravestonedoji', 'takuri', 'hammer'],
    namesElsewhere: {
      talib: 'CDLDRAGONFLYDOJI',
      pandasta: 'cdl_dragonflydoji',
      lean: 'DragonflyDoji',
      taapi: 'dragonflydoji',
    },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 10,
    scratch: 1,
    memory: 'finite',
  }),
  gravestonedoji: indicator({
    title: 'Gravestone Doji',
    description:
      'A doji with a long upper and hardly any lower shadow. Sellers took back all of a rise. It counts after a rise only.',
    related: ['dragonflydoji', 'shootingstar'],
    namesElsewhere: {
      talib: 'CDLGRAVESTONEDOJI',
      pandasta: 'cdl_gravestonedoji',
      lean: 'GravestoneDoji',
      taapi: 'gravestonedoji',
    },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 10,
    scratch: 1,
    memory: 'finite',
    drawing: [{ kind: 'mark', outputs: ['value'], colour: 'quiet' }],
  }),
  longleggeddoji: indicator({
    title: 'Long Legged Doji',
    description:
      'A doji with long shadows: a fight without a winner. After a long move it warns of a turn. In ranges it is an ordinary candle.',
    related: ['doji', 'highwave', 'rickshawman'],
    namesElsewhere: {
      talib: 'CDLLONGLEGGEDDOJI',
      pandasta: 'cdl_longleggeddoji',
      lean: 'LongLeggedDoji',
      taapi: 'longleggeddoji',
    },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 10,
    memory: 'finite',
    scratch: 1,
    drawing: [{ kind: 'mark', outputs: ['value'], colour: 'quiet' }],
  }),
  rickshawman: indicator({
    title: 'Rickshaw Man',
    description:
      'A long-legged doji whose body is in the middle of its range: complete indecision. It asks to wait for the next candle.',
    related: ['longleggeddoji'],
    namesElsewhere: {
      talib: 'CDLRICKSHAWMAN',
      pandasta: 'cdl_rickshawman',
      lean: 'RickshawMan',
      taapi: 'rickshawman',
    },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 10,
    memory: 'finite',
    scratch: 1,
    drawing: [{ kind: 'mark', outputs: ['value'], colour: 'quiet' }],
  }),
  fourpricedoji: indicator({
    title: 'Four Price Doji',
    description:
      'Body and both shadows are small compared with the usual range: hardly any trading. It says that the candle can be ignored.',
    related: ['doji'],
    tier: 2,
    inputs: ['open', 'high', 'low', 'close'],
    params: { period: period(10, 1), limit: factor(0.05, 0, 10) },
    outputs: [signal('value')],
    lookback: p => p.period,
    scratch: 3,
    memory: 'finite',
    drawing: [{ kind: 'mark', outputs: ['value'], colour: 'quiet' }],
  }),
}
