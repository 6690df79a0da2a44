import { indicator, signal } from '../define.js'

/** DeMark's patterns of a few candles. */
export const demarkPatterns = {
  tddifferential: indicator({
    title: 'TD Differential',
    description:
      "DeMark's comparison of buying and selling pressure of two candles after two lower or higher closes. It hints at a short turn.",
    related: ['tdreversedifferential', 'tdsequential'],
    tier: 3,
    inputs: ['high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 2,
    memory: 'finite',
  }),
  tdreversedifferential: indicator({
    title: 'TD Reverse Differential',
    description:
      'The comparison of the TD Differential after two closes in the same direction as the pressure, as a sign that the move continues. Its sign differs between ports; the definition says which is meant.',
    related: ['tddifferential'],
    tier: 3,
    inputs: ['high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 2,
    memory: 'finite',
  }),
  tdantidifferential: indicator({
    title: 'TD Anti-Differential',
    description:
      'A sequence of closes: two down, one up, one down, or its mirror. DeMark expects a turn on the next candle. Such a sequence is common in any market.',
    related: ['tddifferential'],
    tier: 3,
    inputs: ['close'],
    outputs: [signal('value')],
    lookback: 4,
    memory: 'finite',
  }),
  tdopen: indicator({
    title: 'TD Open',
    description:
      'An open beyond the previous range whose candle trades back into it. The gap was a mistake, and the other side takes over. It needs markets with gaps at the open.',
    related: ['tdtrap', 'openinggap'],
    tier: 3,
    inputs: ['open', 'high', 'low'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
  tdclop: indicator({
    title: 'TD Clop',
    description:
      'A candle that opens on one side of the previous open and close and passes both. Pressure has changed. It looks at two candles only.',
    related: ['tdclopwin'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
  tdclopwin: indicator({
    title: 'TD Clopwin',
    description:
      'A body within the previous body, with the sign of the change of close. The next move is said to follow it.',
    related: ['tdclop', 'insidebar'],
    tier: 3,
    inputs: ['open', 'close'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
  tdcamouflage: indicator({
    title: 'TD Camouflage',
    description:
      'A lower close that is above its own open at a new low, or the mirror. It is read as strength that the close hides. It is a hint for one or two candles.',
    related: ['tddifferential'],
    tier: 3,
    inputs: ['open', 'high', 'low', 'close'],
    outputs: [signal('value')],
    lookback: 3,
    memory: 'finite',
  }),
  tdtrap: indicator({
    title: 'TD Trap',
    description:
      'A candle that opens within the previous range and leaves it on one side. It is a short-term breakout. Half of the candles of a lively market do it.',
    related: ['tdopen', 'insidebar'],
    tier: 3,
    inputs: ['open', 'high', 'low'],
    outputs: [signal('value')],
    lookback: 1,
    memory: 'finite',
  }),
}
