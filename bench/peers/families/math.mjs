import tulind from 'tulind'
import { chosen } from '../../../test/vectors/definitions/math.js'
import { source, ta } from '../oracle.mjs'

const tulip = name => `Tulip 0.8.4 ${name} through npm tulind@0.8.20`

/** A TA-Lib function of one column and, if `period` is given, one period. */
export const ofReal = (name, period) => ({
  source: source(name),
  compute: (candles, p) => {
    const options = period === undefined ? {} : { optInTimePeriod: p.period ?? period }
    const answer = ta(name, { inReal: chosen(candles, p.source ?? 'close') }, options)
    return { value: answer.outReal ?? answer.outInteger }
  },
})

/** A TA-Lib function of two columns, high and low by default. */
export const ofTwo = (name, period) => ({
  source: source(name),
  compute: (candles, p) => ({
    value: ta(
      name,
      {
        inReal0: chosen(candles, p.source ?? 'high'),
        inReal1: chosen(candles, p.source2 ?? 'low'),
      },
      period === undefined ? {} : { optInTimePeriod: p.period ?? period },
    ).outReal,
  }),
})

/** A Tulip function of the columns `names`, which the case may replace, with at most one period. */
export const ofTulip = (name, names = ['close'], period = undefined, output = 'value') => ({
  source: tulip(name),
  compute: async (candles, p) => {
    const columns = [...names]
    if (p.source) columns[0] = p.source
    if (p.source2) columns[1] = p.source2
    const [list] = await tulind.indicators[name].indicator(
      columns.map(column => chosen(candles, column)),
      period === undefined ? [] : [p.period ?? period],
    )
    const lead = new Array(candles.close.length - list.length).fill(NaN)
    return { [output]: [...lead, ...list] }
  },
})

/** A TA-Lib function of the prices of a candle. */
const ofCandle = (name, ...columns) => ({
  source: source(name),
  compute: candles => ({
    value: ta(name, Object.fromEntries(columns.map(column => [column, candles[column]]))).outReal,
  }),
  cases: [
    ['volatile', {}],
    ['penny', {}],
    ['daily', {}],
  ],
})

const ofOneNumber = [
  ['volatile', {}],
  ['penny', { source: 'high' }],
  ['daily', { source: 'ohlc4' }],
]
/** Prices whose exponentials are numbers, or that have an arc sine. */
const small = [
  ['penny', {}],
  ['penny', { source: 'hlc3' }],
]
const moderate = [
  ['penny', {}],
  ['daily', {}],
  ['shapes', { source: 'hl2' }],
]
const ofTwoNumbers = [
  ['volatile', {}],
  ['daily', { source: 'hlc3', source2: 'ohlc4' }],
  ['penny', { source2: 'close' }],
]
const windows = [
  ['volatile', {}],
  ['penny', { period: 2 }],
  ['daily', { period: 9 }],
  ['daily', { period: 300 }],
]

export const math = {
  acos: { ...ofReal('ACOS'), cases: small },
  add: { ...ofTwo('ADD'), cases: ofTwoNumbers },
  asin: { ...ofReal('ASIN'), cases: small },
  atan: { ...ofReal('ATAN'), cases: ofOneNumber },
  avgprice: ofCandle('AVGPRICE', 'open', 'high', 'low', 'close'),
  ceil: { ...ofReal('CEIL'), cases: ofOneNumber },
  cos: { ...ofReal('COS'), cases: ofOneNumber },
  cosh: { ...ofReal('COSH'), cases: moderate },
  crossany: { ...ofTulip('crossany', ['close', 'open']), cases: ofTwoNumbers },
  crossover: { ...ofTulip('crossover', ['close', 'open']), cases: ofTwoNumbers },
  decay: {
    ...ofTulip('decay', ['close'], 5),
    cases: [
      ['volatile', {}],
      ['daily', { period: 1 }],
      ['daily', { period: 9 }],
      ['shapes', { period: 100 }],
    ],
  },
  div: { ...ofTwo('DIV'), cases: ofTwoNumbers },
  edecay: {
    ...ofTulip('edecay', ['close'], 5),
    cases: [
      ['volatile', {}],
      ['daily', { period: 1 }],
      ['penny', { period: 50 }],
      ['shapes', { period: 300 }],
    ],
  },
  exp: { ...ofReal('EXP'), cases: moderate },
  floor: { ...ofReal('FLOOR'), cases: ofOneNumber },
  lag: {
    ...ofTulip('lag', ['close'], 1),
    cases: [
      ['volatile', {}],
      ['daily', { period: 0 }],
      ['penny', { period: 30 }],
      ['daily', { period: 300 }],
    ],
  },
  ln: { ...ofReal('LN'), cases: ofOneNumber },
  log10: { ...ofReal('LOG10'), cases: ofOneNumber },
  maxindex: { ...ofReal('MAXINDEX', 30), cases: windows },
  medprice: ofCandle('MEDPRICE', 'high', 'low'),
  min: { ...ofReal('MIN', 30), cases: windows },
  minindex: { ...ofReal('MININDEX', 30), cases: windows },
  minmax: {
    source: source('MINMAX'),
    compute: ({ close }, { period = 30 }) => {
      const answer = ta('MINMAX', { inReal: close }, { optInTimePeriod: period })
      return { valueMin: answer.outMin, valueMax: answer.outMax }
    },
    cases: windows,
  },
  minmaxindex: {
    source: source('MINMAXINDEX'),
    compute: ({ close }, { period = 30 }) => {
      const answer = ta('MINMAXINDEX', { inReal: close }, { optInTimePeriod: period })
      return { valueMinIdx: answer.outMinIdx, valueMaxIdx: answer.outMaxIdx }
    },
    cases: windows,
  },
  mul: { ...ofTulip('mul', ['high', 'low']), cases: ofTwoNumbers },
  mult: { ...ofTwo('MULT'), cases: ofTwoNumbers },
  round: { ...ofTulip('round'), cases: [...ofOneNumber, ['shapes', {}], ['belowzero', {}]] },
  sin: { ...ofReal('SIN'), cases: ofOneNumber },
  sinh: { ...ofReal('SINH'), cases: moderate },
  sqrt: { ...ofReal('SQRT'), cases: ofOneNumber },
  sub: { ...ofTwo('SUB'), cases: ofTwoNumbers },
  sum: { ...ofReal('SUM', 30), cases: windows },
  tan: { ...ofReal('TAN'), cases: ofOneNumber },
  tanh: { ...ofReal('TANH'), cases: [...ofOneNumber, ['penny', { source: 'open' }]] },
  todeg: { ...ofTulip('todeg'), cases: ofOneNumber },
  torad: { ...ofTulip('torad'), cases: ofOneNumber },
  trunc: { ...ofTulip('trunc'), cases: ofOneNumber },
  typprice: ofCandle('TYPPRICE', 'high', 'low', 'close'),
  wclprice: ofCandle('WCLPRICE', 'high', 'low', 'close'),
  wcprice: { ...ofTulip('wcprice', ['high', 'low', 'close']), cases: ofCandle('WCLPRICE').cases },
}
