import { factor, indicator, period, signal } from '../define.js'
import { exponentialState } from '../exponential-average.js'
import { wilder } from '../fading.js'

/** Patterns of Kaabar's Mastering Financial Pattern Recognition. */
export const kaabarPatterns = {
  doubletrouble: indicator({
    title: 'Double Trouble',
    description:
      'Two candles of one colour, the second with a larger body and a range well above the usual. A move gathers speed. It may also be its end.',
    related: ['bigcandle'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    params: { period: period(10, 1), multiplier: factor(2, 0, 100) },
    outputs: [signal('value')],
    lookback: p => p.period + 1,
    state: exponentialState + 1,
    scratch: 1,
    memory: { fading: p => [wilder(p.period)] },
  }),
  bottle: indicator({
    title: 'Bottle',
    description:
      'A candle in the direction of the one before that opens at its extreme, within the previous move. The trend continues without a pullback. It occurs often in thin markets.',
    related: ['marubozu'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
  slingshot: indicator({
    title: 'Slingshot',
    description:
      'A strong candle beyond the previous high, a pause below it, and a candle that tests the broken high and closes above all. It demands four candles to fit, and so is rare.',
    related: ['newpricelines'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 3,
    memory: 'finite',
  }),
  hpattern: indicator({
    title: 'H Pattern',
    description:
      'A doji between two candles of one colour, of which the last closes beyond it. The trend continues, in the shape of an H.',
    related: ['risefall3methods'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 2,
    memory: 'finite',
  }),
  euphoria: indicator({
    title: 'Euphoria',
    description:
      'Three candles of one colour whose bodies grow. Everybody joins, so the sign is against the move: three growing white candles are bearish. In strong trends that is too early.',
    related: ['3whitesoldiers', 'bigcandle'],
    tier: 3,
    inputs: ['open', 'close'],
    outputs: [signal('value')],
    lookback: 2,
    memory: 'finite',
  }),
  blockade: indicator({
    title: 'Blockade',
    description:
      'A black candle, two candles that stay in its lower part, and a white one that closes above it all; or the mirror. The low was defended three times. It needs exact places and is rare.',
    related: ['mathold'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 3,
    memory: 'finite',
  }),
}
