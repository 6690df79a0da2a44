import { indicator, period, signal } from '../define.js'

/** Single candles and short runs of them, judged by their ranges, gaps and volume. */
export const bars = {
  insidebar: indicator({
    title: 'Inside Bar',
    description:
      'A candle within the range of the one before. The market waits; breaks of it are traded. Many break both ways.',
    related: ['outsidebar', 'hikkake', 'narrowrange'],
    namesElsewhere: { pandasta: 'cdl_inside' },
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
  outsidebar: indicator({
    title: 'Outside Bar',
    description:
      'A candle that passes both ends of the one before. Volatility returns, and the close names the side.',
    related: ['insidebar', 'engulfing'],
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
  thestrat: indicator({
    title: 'TheStrat Scenario',
    description:
      'Numbers each candle: 1 inside, 2 beyond one side, 3 beyond both. Sequences of them are traded. They describe and do not foretell.',
    related: ['insidebar', 'outsidebar'],
    inputs: ['high', 'low'],
    outputs: ['value'],
    lookback: 1,
    memory: 'finite',
    drawing: [{ kind: 'count', outputs: ['value'], colour: 'quiet', at: 'above' }],
  }),
  narrowrange: indicator({
    title: 'Narrow Range (NR4, NR7)',
    description:
      'The narrowest candle of the last four or seven. Quiet comes before movement. The side is open.',
    related: ['widerange', 'insidebar'],
    inputs: ['high', 'low'],
    params: { period: period(7) },
    outputs: [signal('value'), signal('inside')],
    lookback: p => p.period - 1,
    scratch: 3,
    memory: 'finite',
    drawing: [{ kind: 'mark', outputs: ['value', 'inside'], colour: 'quiet' }],
  }),
  widerange: indicator({
    title: 'Wide Spread (WS4, WS7)',
    description:
      'The widest candle of the last few. A move is under way, or at its climax: the close and the place in the trend must tell. After quiet days even a small candle qualifies.',
    related: ['narrowrange', 'bigcandle'],
    tier: 2,
    inputs: ['high', 'low'],
    params: { period: period(7) },
    outputs: [signal('value')],
    lookback: p => p.period - 1,
    scratch: 3,
    memory: 'finite',
    drawing: [{ kind: 'mark', outputs: ['value'], colour: 'quiet' }],
  }),
  keyreversal: indicator({
    title: 'Key Reversal',
    description:
      'A new extreme that closes beyond the previous close on the other side. It marks days of climax. Most trends contain several.',
    related: ['reversalbar', 'outsidebar'],
    tier: 2,
    inputs: ['high', 'low', 'close'],
    params: { period: period(1, 1) },
    outputs: [signal('value')],
    lookback: p => p.period,
    scratch: 3,
    memory: 'finite',
  }),
  pocketpivot: indicator({
    title: 'Pocket Pivot',
    description:
      'A rising candle whose volume exceeds that of each falling one of late. A sign of strong buyers after Morales and Kacher.',
    related: ['relativevolume'],
    tier: 2,
    inputs: ['close', 'volume'],
    params: { period: period(10, 1) },
    outputs: [signal('value')],
    lookback: p => p.period + 1,
    scratch: 3,
    memory: 'finite',
  }),
  newpricelines: indicator({
    title: 'New Price Lines',
    description:
      'A row of higher highs, or of lower lows. The old Japanese rule is to expect a rest after eight or more. It fires on every candle of a longer row.',
    related: ['streak', 'tdsequential'],
    tier: 3,
    inputs: ['high', 'low'],
    params: { lines: period(8) },
    outputs: [signal('value')],
    lookback: p => p.lines - 1,
    scratch: 1,
    memory: 'finite',
  }),
  reversalbar: indicator({
    title: 'Reversal Bar (Bill Williams)',
    description:
      "A candle with a lower low that closes in its upper half, or the mirror. The first entry of Williams' system, where it counts only at a distance from the Alligator. Without that it is common.",
    related: ['williamsalligator', 'keyreversal'],
    tier: 3,
    inputs: ['high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
  turtlesoup: indicator({
    title: 'Turtle Soup',
    description:
      'A new extreme of twenty candles whose close is back at once. It trades against breakouts that fail. The stop is near, and often hit.',
    related: ['liquiditysweeps', 'donchianchannels'],
    tier: 3,
    inputs: ['high', 'low', 'close'],
    params: { period: period(20), separation: period(4, 1) },
    outputs: [signal('value')],
    lookback: p => p.period,
    scratch: 5,
    memory: 'finite',
  }),
  squeezealert: indicator({
    title: 'Squeeze Alert',
    description:
      'Three candles, each within the range of the one before. The sign is against the colour of the first. The break of the last is traded.',
    related: ['insidebar', 'narrowrange'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 2,
    memory: 'finite',
  }),
}
