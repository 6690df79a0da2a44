import { indicator } from '../define.js'

export const operators = {
  add: indicator({
    title: 'Vector Arithmetic Add',
    description:
      "The sum of two columns, by default high and low. It is a step in formulas of one's own. Columns of different units should not be added.",
    related: ['sub', 'mult'],
    namesElsewhere: { talib: 'ADD', tulip: 'add', pandasta: 'add', taapi: 'add' },
    inputs: ['high', 'low'],
    sources: 2,
    outputs: ['value'],
    degree: [1, 0],
    lookback: 0,
    memory: 'finite',
  }),
  div: indicator({
    title: 'Vector Arithmetic Div',
    description:
      'The quotient of two columns, by default high over low. It compares them without units. It has no value where the second is zero.',
    related: ['mult'],
    namesElsewhere: { talib: 'DIV', tulip: 'div', pandasta: 'div', taapi: 'div' },
    inputs: ['high', 'low'],
    sources: 2,
    outputs: ['value'],
    lookback: 0,
    memory: 'finite',
  }),
  mul: indicator({
    title: 'Vector Multiplication',
    description:
      'The product of two columns under the name that Tulip gives it. It serves programs that were written for that library.',
    related: ['mult', 'div'],
    namesElsewhere: { talib: 'MULT', tulip: 'mul', pandasta: 'mult', taapi: 'mul' },
    inputs: ['high', 'low'],
    sources: 2,
    outputs: ['value'],
    degree: [2, 0],
    lookback: 0,
    memory: 'finite',
  }),
  mult: indicator({
    title: 'Vector Arithmetic Mult',
    description:
      'The product of two columns, by default high and low. With volume as the second column it is money traded. Products of prices mean little by themselves.',
    related: ['div', 'mul'],
    namesElsewhere: { talib: 'MULT', tulip: 'mul', pandasta: 'mult', taapi: 'mult' },
    inputs: ['high', 'low'],
    sources: 2,
    outputs: ['value'],
    degree: [2, 0],
    lookback: 0,
    memory: 'finite',
  }),
  sub: indicator({
    title: 'Vector Arithmetic Subtraction',
    description:
      "The difference of two columns, by default high less low, which is the range of a candle. It is a step in formulas of one's own and in units of the price.",
    related: ['add', 'range'],
    namesElsewhere: { talib: 'SUB', tulip: 'sub', pandasta: 'sub', taapi: 'sub' },
    inputs: ['high', 'low'],
    sources: 2,
    outputs: ['value'],
    degree: [1, 0],
    lookback: 0,
    memory: 'finite',
  }),
  crossany: indicator({
    title: 'Cross any',
    description:
      '1 where two columns cross in either direction. It counts how often a rule would trade. It does not say which side won.',
    related: ['crossover', 'crossunder'],
    namesElsewhere: { tulip: 'crossany', taapi: 'crossany' },
    inputs: ['close', 'open'],
    sources: 2,
    outputs: ['value'],
    lookback: 1,
    memory: 'finite',
  }),
  crossover: indicator({
    title: 'Cross over',
    description:
      '1 where the first column rises above the second on this candle. It is the event in most rules with two lines. Lines that run together cross again and again.',
    related: ['crossunder', 'crossany'],
    namesElsewhere: { tulip: 'crossover', ta4j: 'Cross', taapi: 'crossover' },
    inputs: ['close', 'open'],
    sources: 2,
    outputs: ['value'],
    lookback: 1,
    memory: 'finite',
  }),
  crossunder: indicator({
    title: 'Cross under',
    description:
      '1 where the first column falls below the second on this candle. It is the event for leaving in most rules with two lines. Lines that run together cross again and again.',
    related: ['crossover', 'crossany'],
    inputs: ['close', 'open'],
    sources: 2,
    outputs: ['value'],
    lookback: 1,
    memory: 'finite',
  }),
}
