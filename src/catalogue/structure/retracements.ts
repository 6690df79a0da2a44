import { choice, factor, indicator, label, period, time } from '../define.js'

export const retracements = {
  fibonacciretracement: indicator({
    title: 'Fibonacci Retracement',
    description:
      'The price at a Fibonacci ratio of the range of a window. Traders look for turns at these levels. With so many levels in a range, one is always near.',
    related: ['retracements', 'goldenzone'],
    otherNames: ['Fib retracement', 'Auto Fib Retracement'],
    namesElsewhere: { taapi: 'fibonacciretracement' },
    inputs: ['high', 'low', 'close', 'timestamp'],
    params: {
      period: period(50),
      retracement: factor(0.618, 0, 10),
      trend: choice('auto', 'smart', 'uptrend', 'downtrend'),
    },
    outputs: [
      'value',
      label('trend', { 1: 'UPTREND', '-1': 'DOWNTREND' }),
      'startPrice',
      'endPrice',
      time('startTimestamp'),
      time('endTimestamp'),
    ],
    degree: { startTimestamp: [0, 0], endTimestamp: [0, 0] },
    lookback: p => p.period - 1,
    scratch: 2,
    memory: 'finite',
    overlay: true,
    drawing: [
      {
        kind: 'retracement',
        outputs: ['startPrice', 'endPrice', 'startTimestamp', 'endTimestamp'],
        colour: 1,
        ratios: [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1],
      },
    ],
  }),
  goldenzone: indicator({
    title: 'Golden Zone',
    description:
      'The prices between which the range of the last candles is retraced by 50 to 61.8 percent from its high. Reactions there are looked for after a rise; it is always measured from the high, so after a fall it is the part in which a recovery stops. Most ranges are retraced that far at some time.',
    related: ['ote', 'retracements', 'fibonacciretracement'],
    tier: 3,
    inputs: ['high', 'low'],
    params: { period: period(60), first: factor(0.5, 0, 10), second: factor(0.618, 0, 10) },
    outputs: ['upper', 'lower'],
    lookback: p => p.period - 1,
    scratch: 1,
    memory: 'finite',
    overlay: true,
  }),
}
