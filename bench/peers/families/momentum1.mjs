import tulind from 'tulind'
import { candlesticks, ofClose, ofPrices, prices, source, ta } from '../oracle.mjs'

const tulipSource = name => `Tulip 0.8.4 ${name} through npm tulind@0.8.20`

/** A Tulip indicator over whole columns: its outputs in Tulip's order, NaN before its first value. */
async function tulip(name, columns, options) {
  const { indicator, start } = tulind.indicators[name]
  const lead = new Array(start(options)).fill(NaN)
  return (await indicator(columns, options)).map(list => [...lead, ...list])
}

const highAndLow = ({ high, low }) => ({ high, low })
const ofHighAndLow = (name, period) => ({
  source: source(name),
  compute: (candles, p) => ({
    value: ta(name, highAndLow(candles), { optInTimePeriod: p.period ?? period }).outReal,
  }),
})
const lines = answer => ({
  valueMACD: answer.outMACD,
  valueMACDSignal: answer.outMACDSignal,
  valueMACDHist: answer.outMACDHist,
})
const periods = (...sets) => [['volatile', {}], ...sets.map(([market, period]) => [market, { period }])]

export const momentum1 = {
  adxr: { ...ofPrices('ADXR', 14), cases: periods(['penny', 2], ['daily', 30], ['daily', 120]) },
  ao: {
    source: tulipSource('ao'),
    compute: async ({ high, low }) => ({ value: (await tulip('ao', [high, low], []))[0] }),
    cases: [
      ['volatile', {}],
      ['penny', {}],
      ['daily', {}],
    ],
  },
  apo: {
    source: source('APO'),
    compute: ({ close }, { fastPeriod = 12, slowPeriod = 26, maType = 0 }) => ({
      value: ta(
        'APO',
        { inReal: close },
        { optInFastPeriod: fastPeriod, optInSlowPeriod: slowPeriod, optInMAType: maType },
      ).outReal,
    }),
    cases: [
      ['volatile', {}],
      ['penny', { fastPeriod: 2, slowPeriod: 3, maType: 1 }],
      ['volatile', { fastPeriod: 20, slowPeriod: 5, maType: 8 }],
      ['daily', { fastPeriod: 50, slowPeriod: 160, maType: 2 }],
    ],
  },
  aroonosc: {
    ...ofHighAndLow('AROONOSC', 14),
    cases: periods(['penny', 2], ['daily', 25], ['shapes', 5], ['daily', 200]),
  },
  bop: {
    source: source('BOP'),
    compute: candles => ({ value: ta('BOP', candlesticks(candles)).outReal }),
    cases: [
      ['volatile', {}],
      ['penny', {}],
      ['daily', {}],
    ],
  },
  cmo: { ...ofClose('CMO', 14), cases: periods(['penny', 2], ['daily', 5], ['daily', 200]) },
  di: {
    source: tulipSource('di'),
    compute: async ({ high, low, close }, { period = 14 }) => {
      const [plus, minus] = await tulip('di', [high, low, close], [period])
      return { plus_di: plus, minus_di: minus }
    },
    cases: periods(['penny', 1], ['volatile', 2], ['daily', 200]),
  },
  dm: {
    source: `${tulipSource('dm')}, from the first candle that can move`,
    compute: async ({ high, low }, { period = 14 }) => {
      const [plus, minus] = await tulip('dm', [high, low], [period])
      const where = column => column.map((value, i) => (i < 1 ? NaN : value))
      return { plus_dm: where(plus), minus_dm: where(minus) }
    },
    cases: periods(['penny', 1], ['shapes', 5], ['daily', 200]),
  },
  dmi: {
    source: `${source('ADX')}, PLUS_DI and MINUS_DI where ADX has a value`,
    compute: (candles, { period = 14 }) => {
      const of = name => ta(name, prices(candles), { optInTimePeriod: period }).outReal
      const adx = of('ADX')
      const where = column => column.map((value, i) => (Number.isNaN(adx[i]) ? NaN : value))
      return { adx, pdi: where(of('PLUS_DI')), mdi: where(of('MINUS_DI')) }
    },
    cases: periods(['penny', 2], ['daily', 100]),
  },
  dpo: {
    source: `${tulipSource('dpo')}, from the first candle that has one to look back at`,
    compute: async ({ close }, { period = 20 }) => {
      const back = Math.floor(period / 2) + 1
      const [value] = await tulip('dpo', [close], [period])
      return { value: value.map((number, i) => (i < back ? NaN : number)) }
    },
    cases: periods(['penny', 1], ['volatile', 2], ['daily', 7], ['daily', 200]),
  },
  dx: { ...ofPrices('DX', 14), cases: periods(['penny', 2], ['daily', 30], ['daily', 200]) },
  fisher: {
    source: tulipSource('fisher'),
    compute: async ({ high, low }, { period = 10 }) => {
      const [fisher, signal] = await tulip('fisher', [high, low], [period])
      return { fisher, fisher_signal: signal }
    },
    // A window of one candle is flat, for which Tulip gives other values.
    cases: periods(['penny', 2], ['daily', 300]),
  },
  fosc: {
    // One window at a time: Tulip's running sums drift by more than a vector allows where the value is near zero.
    source: `${tulipSource('fosc')}, called again for each candle`,
    compute: async ({ close }, { period = 14 }) => ({
      value: await Promise.all(
        close.map(async (_, i) =>
          i < period ? NaN : (await tulip('fosc', [close.slice(i - period, i + 1)], [period]))[0].at(-1),
        ),
      ),
    }),
    cases: periods(['penny', 2], ['daily', 5], ['daily', 200]),
  },
  macdext: {
    source: source('MACDEXT'),
    compute: ({ close }, p) =>
      lines(
        ta(
          'MACDEXT',
          { inReal: close },
          {
            optInFastPeriod: p.fastPeriod ?? 12,
            optInFastMAType: p.fastMAType ?? 0,
            optInSlowPeriod: p.slowPeriod ?? 26,
            optInSlowMAType: p.slowMAType ?? 0,
            optInSignalPeriod: p.signalPeriod ?? 9,
            optInSignalMAType: p.signalMAType ?? 0,
          },
        ),
      ),
    cases: [
      ['volatile', {}],
      ['penny', { fastPeriod: 2, fastMAType: 1, slowPeriod: 3, slowMAType: 1, signalPeriod: 2 }],
      ['volatile', { fastPeriod: 20, fastMAType: 6, slowPeriod: 5, slowMAType: 8, signalMAType: 7 }],
      ['daily', { fastMAType: 3, slowPeriod: 120, slowMAType: 5, signalPeriod: 40, signalMAType: 2 }],
    ],
  },
  macdfix: {
    source: source('MACDFIX'),
    compute: ({ close }, { signalPeriod = 9 }) =>
      lines(ta('MACDFIX', { inReal: close }, { optInSignalPeriod: signalPeriod })),
    cases: [
      ['volatile', {}],
      ['penny', { signalPeriod: 2 }],
      ['daily', { signalPeriod: 100 }],
    ],
  },
  mfi: {
    source: source('MFI'),
    compute: (candles, { period = 14 }) => ({
      value: ta('MFI', { ...prices(candles), volume: candles.volume }, { optInTimePeriod: period }).outReal,
    }),
    cases: periods(['volatile', 2], ['daily', 5], ['daily', 200]),
  },
  minus_di: { ...ofPrices('MINUS_DI', 14), cases: periods(['penny', 1], ['daily', 2], ['daily', 200]) },
  minus_dm: { ...ofHighAndLow('MINUS_DM', 14), cases: periods(['penny', 1], ['daily', 2], ['daily', 200]) },
  mom: { ...ofClose('MOM', 10), cases: periods(['penny', 1], ['daily', 200]) },
  plus_di: { ...ofPrices('PLUS_DI', 14), cases: periods(['penny', 1], ['daily', 2], ['daily', 200]) },
  plus_dm: { ...ofHighAndLow('PLUS_DM', 14), cases: periods(['penny', 1], ['daily', 2], ['daily', 200]) },
}
