import { source, ta } from '../oracle.mjs'

/** The column that a caller's `source` names. */
function chosen(candles, name) {
  const mean = (...columns) =>
    candles[columns[0]].map(
      (_, i) => columns.reduce((sum, column) => sum + candles[column][i], 0) / columns.length,
    )
  if (name === 'hl2') return mean('high', 'low')
  if (name === 'hlc3') return mean('high', 'low', 'close')
  if (name === 'ohlc4') return mean('open', 'high', 'low', 'close')
  return candles[name]
}

/** A TA-Lib function of two columns. */
const ofTwo = name => ({
  source: source(name),
  compute: (candles, p) => ({
    value: ta(name, {
      inReal0: chosen(candles, p.source ?? 'high'),
      inReal1: chosen(candles, p.source2 ?? 'low'),
    }).outReal,
  }),
})

export const math = {
  add: {
    ...ofTwo('ADD'),
    cases: [
      ['volatile', {}],
      ['daily', { source: 'hlc3', source2: 'ohlc4' }],
      ['penny', { source2: 'close' }],
    ],
  },
}
