import { indicator, period } from '../define.js'
import { exponentialState } from '../exponential-average.js'
import { exponential } from '../fading.js'

export const heikinAshi = {
  heikinashi: indicator({
    title: 'Heikin-Ashi Candles',
    description:
      'Candles from averaged prices: the open is the middle of the averaged candle before, the close the mean of all four prices. Runs of one colour without shadows on one side show a trend. The prices were not traded, so no order should be based on them.',
    related: ['smoothedheikinashi'],
    namesElsewhere: { talib: 'HA (development)', pandasta: 'ha', skender: 'HEIKINASHI', lean: 'HeikinAshi' },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: ['open', 'high', 'low', 'close'],
    lookback: 0,
    state: 2,
    memory: { fading: () => [0.5] },
    overlay: true,
    drawing: [{ kind: 'candles', outputs: ['open', 'high', 'low', 'close'] }],
  }),
  smoothedheikinashi: indicator({
    title: 'Smoothed Heikin-Ashi',
    description:
      'Heikin-Ashi of smoothed candles, smoothed once more. Colours change rarely and late. The lines are far from traded prices.',
    related: ['heikinashi', 'ema'],
    tier: 2,
    inputs: ['open', 'high', 'low', 'close'],
    params: { period: period(10, 1), smoothPeriod: period(10, 1) },
    outputs: ['open', 'high', 'low', 'close'],
    lookback: p => p.period + p.smoothPeriod - 2,
    state: 8 * exponentialState + 2,
    memory: { fading: p => [exponential(p.period), 0.5, exponential(p.smoothPeriod)] },
    overlay: true,
    drawing: [{ kind: 'candles', outputs: ['open', 'high', 'low', 'close'] }],
  }),
}
