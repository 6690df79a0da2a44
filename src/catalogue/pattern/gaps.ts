import { indicator, type Numbers, period, signal, startingAfter } from '../define.js'

/** Patterns of candles that leave gaps between them, shadows included. */
export const gaps = {
  risingwindow: indicator({
    title: 'Rising Window',
    description:
      'A gap up between two candles. Its edges serve as support until they are closed through. Markets that trade all day have few.',
    related: ['fallingwindow', 'openinggap'],
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
  fallingwindow: indicator({
    title: 'Falling Window',
    description:
      'A gap down between two candles. Its edges serve as resistance until they are closed through. Markets that trade all day have few.',
    related: ['risingwindow', 'openinggap'],
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
  twoblackgapping: indicator({
    title: 'Two Black Gapping Candles',
    description:
      'A gap down from a high and two black candles with lower highs. The fall is expected to continue. It needs gaps, which many markets do not have.',
    related: ['fallingwindow', '3blackcrows'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 2,
    memory: 'finite',
  }),
  gappingdoji: indicator({
    title: 'Gapping Doji',
    description:
      'A doji whose whole range lies above or below that of the candle before. The price is expected to continue in the direction of the gap after the pause. The earlier trend is ignored, and the next candle has to confirm it.',
    related: ['dojistar', 'abandonedbaby'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 10,
    scratch: 1,
    memory: 'finite',
  }),
  collapsingdojistar: indicator({
    title: 'Collapsing Doji Star',
    description:
      'A white candle, a doji that gaps below it, and a black candle that gaps below the doji. A collapse of confidence; very rare.',
    related: ['abandonedbaby', 'eveningdojistar'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 12,
    scratch: 1,
    memory: 'finite',
  }),
  islandreversal: indicator({
    title: 'Island Reversal',
    description:
      'Candles cut off by a gap before and a gap after. Traders on the island are caught, and a strong turn is expected. It needs markets with gaps.',
    related: ['abandonedbaby'],
    tier: 3,
    inputs: ['high', 'low'],
    params: { maxLength: period(10, 1, 100) },
    outputs: [startingAfter((_: Numbers<'maxLength'>) => 2, signal('value'))],
    lookback: p => p.maxLength + 1,
    memory: 'finite',
  }),
}
