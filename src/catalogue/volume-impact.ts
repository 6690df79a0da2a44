import { indicator, period } from './define.js'

/** How far volume moves prices. */
export const volumeImpact = {
  amihud: indicator({
    title: 'Amihud Illiquidity',
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
    inputs: ['close', 'volume'],
    params: { period: period(20) },
    outputs: ['value'],
    degree: [1, -1],
    lookback: p => p.period,
    scratch: 7,
    memory: 'finite',
  }),
  tdpressure: indicator({
    title: 'TD Pressure',
    inputs: ['open', 'high', 'low', 'close', 'volume'],
    params: { period: period(5) },
    outputs: ['value'],
    lookback: p => p.period - 1,
    scratch: 4,
    memory: 'finite',
  }),
}
