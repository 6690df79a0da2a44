// Definitions of indicators that return their input.

/** The column that a caller's `source` names. */
export function chosen(candles, name) {
  const mean = (...columns) =>
    candles.close.map((_, i) => columns.reduce((sum, column) => sum + candles[column][i], 0) / columns.length)
  if (name === 'hl2') return mean('high', 'low')
  if (name === 'hlc3') return mean('high', 'low', 'close')
  if (name === 'ohlc4') return mean('open', 'high', 'low', 'close')
  return candles[name]
}

/** The candle itself. */
export const candle = ({ open, high, low, close, volume }) => ({ open, high, low, close, volume })

/** The column itself. */
export const price = column => ({ value: column })

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  candle: {
    source: 'definition',
    compute: candle,
    cases: [
      ['volatile', {}],
      ['penny', {}],
    ],
  },
  candles: {
    source: 'definition',
    compute: candle,
    cases: [
      ['shapes', {}],
      ['shapes', { period: 1 }],
      ['shapes', { period: 250 }],
    ],
  },
  price: {
    source: 'definition',
    compute: (candles, p) => price(chosen(candles, p.source ?? 'close')),
    cases: [
      ['volatile', {}],
      ['penny', { source: 'high' }],
      ['daily', { source: 'ohlc4' }],
    ],
  },
}
