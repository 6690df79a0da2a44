// Functions shared by definitions of candlestick patterns.

/** A column of signals: NaN for the first `lookback` candles, then `signalAt` of candle i. */
export const signals = ({ close }, lookback, signalAt) =>
  close.map((_, i) => (i < lookback ? NaN : signalAt(i)))
export const only = (...args) => ({ value: signals(...args) })
/** `term` of the `count` candles before candle i. */
export const before = (i, count, term) => Array.from({ length: count }, (_, k) => term(i - count + k))

/** The description of a pattern with parameters, which are given in sets besides the defaults. */
export const described = (source, compute, ...sets) => ({
  source: `definition: ${source}`,
  compute,
  cases: [
    ['shapes', {}],
    ['volatile', {}],
    ...sets.map(set => ['volatile', set]),
    ['rare', {}],
    ['shapes', sets[0]],
  ],
})
/** The description of a pattern without parameters. */
export const plain = (source, compute, markets = ['shapes', 'volatile', 'daily', 'rare']) => ({
  source: `definition: ${source}`,
  compute,
  cases: markets.map(market => [market, {}]),
})
/** Markets whose candles leave gaps, for patterns that others do not have. */
export const gapping = ['shapes', 'daily', 'rare', 'bent']
