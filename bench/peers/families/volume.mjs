import tulind from 'tulind'
import { prices, source, ta } from '../oracle.mjs'

/** A Tulip function over whole columns: its only output, NaN before its first value. */
async function tulip(name, columns, options = []) {
  const [value] = await tulind.indicators[name].indicator(columns, options)
  return { value: [...new Array(columns[0].length - value.length).fill(NaN), ...value] }
}

const tulipSource = name => `Tulip 0.8.4 ${name} through npm tulind@0.8.20`
const flows = candles => ({ ...prices(candles), volume: candles.volume })
const plain = [
  ['volatile', {}],
  ['penny', {}],
  ['daily', {}],
]

// The defaults are written down once more here: a case without parameters holds the catalogue to them.
/** 0, as in TA-Lib, where nothing was traded: Tulip divides by 0 there. */
const untradedAsZero = ({ value }, volume) => ({
  value: value.map((number, i) => (volume[i] === 0 && i > 0 ? 0 : number)),
})

export const volumes = {
  ad: {
    source: source('AD'),
    compute: candles => ({ value: ta('AD', flows(candles)).outReal }),
    cases: [...plain, ['shapes', {}]],
  },
  adosc: {
    source: source('ADOSC'),
    compute: (candles, { fastPeriod = 3, slowPeriod = 10 }) => ({
      value: ta('ADOSC', flows(candles), { optInFastPeriod: fastPeriod, optInSlowPeriod: slowPeriod })
        .outReal,
    }),
    cases: [
      ['volatile', {}],
      ['daily', { fastPeriod: 2, slowPeriod: 2 }],
      ['penny', { fastPeriod: 2, slowPeriod: 3 }],
      ['shapes', { fastPeriod: 20, slowPeriod: 200 }],
    ],
  },
  emv: {
    source: `${tulipSource('emv')}, 0 where nothing was traded`,
    compute: async ({ high, low, volume }) => untradedAsZero(await tulip('emv', [high, low, volume]), volume),
    cases: plain,
  },
  kvo: {
    source: tulipSource('kvo'),
    compute: ({ high, low, close, volume }, { shortPeriod = 34, longPeriod = 55 }) =>
      tulip('kvo', [high, low, close, volume], [shortPeriod, longPeriod]),
    cases: [
      ['volatile', {}],
      ['daily', { shortPeriod: 1, longPeriod: 2 }],
      ['shapes', { shortPeriod: 5, longPeriod: 13 }],
      ['penny', { shortPeriod: 50, longPeriod: 300 }],
    ],
  },
  marketfi: {
    source: `${tulipSource('marketfi')}, 0 where nothing was traded`,
    compute: async ({ high, low, volume }) =>
      untradedAsZero(await tulip('marketfi', [high, low, volume]), volume),
    cases: plain,
  },
  nvi: {
    source: tulipSource('nvi'),
    compute: ({ close, volume }) => tulip('nvi', [close, volume]),
    cases: plain,
  },
  pvi: {
    source: tulipSource('pvi'),
    compute: ({ close, volume }) => tulip('pvi', [close, volume]),
    cases: plain,
  },
  wad: {
    source: tulipSource('wad'),
    compute: ({ high, low, close }) => tulip('wad', [high, low, close]),
    cases: [...plain, ['shapes', {}]],
  },
}
