// How TA-Lib and Tulip name the functions of the catalogue's entries and order their options; used for the C functions and
// for the packages of npm that contain them.
export const same = p => Object.values(p).map(Number)
/**
 * Where a library names a function or orders its options in another way than the entry: the function, and its options
 * from the entry's parameters. `with` are parameters under which the two mean the same.
 */
export const talibCalls = {
  psar: { name: 'SAR', options: p => [p.start, p.maximum] },
  sar: { name: 'SAR', options: same },
  bbands: { options: p => [p.period, p.stddev, p.stddev, p.maType] },
  stoch: { options: p => [p.kPeriod, p.kSmooth, 0, p.dPeriod, 0] },
  stochrsi: {
    with: { kPeriod: 1, stochasticPeriod: 5 },
    options: p => [p.rsiPeriod, p.stochasticPeriod, p.dPeriod, 0],
  },
  cci: { options: p => [p.period] },
  // TA-Lib is timed with the high as prices and the low as periods.
  mavp: { options: same, source: 'high', source2: 'low' },
  fosc: { name: undefined },
}
export const tulipCalls = {
  stoch: { options: p => [p.kPeriod, p.kSmooth, p.dPeriod] },
  bbands: { options: p => [p.period, p.stddev] },
  cci: { options: p => [p.period] },
  psar: { options: p => [p.increment, p.maximum] },
  apo: { options: p => [p.fastPeriod, p.slowPeriod] },
  ppo: { options: p => [p.fastPeriod, p.slowPeriod] },
  // Other things under the same name: a fraction of a window of RSI, the deviation's own form, a plain sum, no smoothing.
  stochrsi: { name: undefined },
  stddev: { options: p => [p.period] },
  var: { options: p => [p.period] },
  vwap: { name: undefined },
}

/** The name that TA-Lib would give an entry. */
export const talibName = entry =>
  `${entry.category.startsWith('Pattern') ? 'CDL' : ''}${entry.name.toUpperCase()}`
