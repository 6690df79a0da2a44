/** The highest close of the last `period` candles less the low, in percent of that close. */
function williamsvixfix({ low, close }, { period = 22 }) {
  const value = close.map((_, i) => {
    if (i < period - 1) return NaN
    const highest = Math.max(...close.slice(i - period + 1, i + 1))
    return highest === 0 ? NaN : ((highest - low[i]) / highest) * 100
  })
  return { value }
}

/** The source, the function, and the cases: a market of test/vectors/markets and the parameters that are not the default. */
export const vectors = {
  williamsvixfix: {
    source: 'definition: Larry Williams, The VIX Fix, Active Trader (December 2007)',
    compute: williamsvixfix,
    cases: [
      ['volatile', {}],
      ['penny', { period: 1 }],
      ['daily', { period: 300 }],
    ],
  },
}
