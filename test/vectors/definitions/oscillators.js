// Definitions of oscillators, written in the plainest way, without regard to speed. A column is an array of numbers; a
// missing value is NaN.

const sum = values => values.reduce((total, value) => total + value, 0)
const mean = values => sum(values) / values.length

/** `calculate(window)` over the last `period` values of each candle; NaN if one of them is missing. */
const moving = (column, period, calculate) =>
  column.map((_, i) => {
    const window = i < period - 1 ? [NaN] : column.slice(i - period + 1, i + 1)
    return window.some(Number.isNaN) ? NaN : calculate(window)
  })

/** Exponential average of a column that begins with NaN, seeded with the mean of its first `period` values. */
function exponential(column, period) {
  const start = column.findIndex(value => !Number.isNaN(value))
  const seed = start + period - 1
  let value = NaN
  return column.map((x, i) => {
    if (start < 0 || i < seed) return NaN
    value = i === seed ? mean(column.slice(start, seed + 1)) : value + (2 / (period + 1)) * (x - value)
    return value
  })
}

/** Slope and end of the least-squares line through a window. */
export function regression(window) {
  const centre = (window.length - 1) / 2
  const level = mean(window)
  const spread = sum(window.map((_, k) => (k - centre) ** 2))
  const slope = spread === 0 ? 0 : sum(window.map((value, k) => (k - centre) * (value - level))) / spread
  return { slope, end: level + slope * centre }
}

/** Relative Vigor Index: the smoothed bodies of `period` candles by their smoothed ranges. */
export function rvgi({ open, high, low, close }, { period = 10 }) {
  const smooth = column => moving(column, 4, ([a, b, c, d]) => (a + 2 * b + 2 * c + d) / 6)
  const bodies = moving(smooth(close.map((price, i) => price - open[i])), period, mean)
  const ranges = moving(smooth(high.map((price, i) => price - low[i])), period, mean)
  const index = bodies.map((body, i) => (ranges[i] === 0 ? 0 : body / ranges[i]))
  const signal = smooth(index)
  return {
    rvgi: index,
    signal,
    trend: index.map((value, i) =>
      Number.isNaN(signal[i]) ? null : value > signal[i] ? 'bullish' : 'bearish',
    ),
  }
}

/** Squeeze momentum after LazyBear. */
export function squeeze({ high, low, close }, { lengthBB = 20, lengthKC = 20, multBB = 2, multKC = 1.5 }) {
  const range = high.map((top, i) =>
    i === 0 ? NaN : Math.max(top - low[i], Math.abs(top - close[i - 1]), Math.abs(low[i] - close[i - 1])),
  )
  const basis = moving(close, lengthBB, mean)
  const spread = moving(close, lengthBB, window => Math.sqrt(mean(window.map(x => (x - mean(window)) ** 2))))
  const middle = moving(close, lengthKC, mean)
  const reach = moving(range, lengthKC, mean)
  const top = moving(high, lengthKC, window => Math.max(...window))
  const bottom = moving(low, lengthKC, window => Math.min(...window))
  const distance = close.map((price, i) => price - mean([mean([top[i], bottom[i]]), middle[i]]))
  const line = moving(distance, lengthKC, window => regression(window).end)
  const isKnown = close.map((_, i) => !Number.isNaN(spread[i] + reach[i]))
  return {
    value: line,
    squeeze: close.map((_, i) =>
      isKnown[i]
        ? basis[i] - multBB * spread[i] > middle[i] - multKC * reach[i] &&
          basis[i] + multBB * spread[i] < middle[i] + multKC * reach[i]
        : null,
    ),
  }
}

/** The stochastic of a column within itself. Without a range it keeps its previous value, 0 at first. */
function continuedStochastic(column, period) {
  let held = 0
  return moving(column, period, window => {
    const bottom = Math.min(...window)
    const range = Math.max(...window) - bottom
    if (range > 0) held = (100 * (window[period - 1] - bottom)) / range
    return held
  })
}

/** Schaff Trend Cycle; the trend is bullish when the cycle rises, bearish when it falls, and stays when it does not move. */
export function stc(
  { close },
  { fastLength = 23, slowLength = 50, cycleLength = 10, d1Length = 3, d2Length = 3 },
) {
  const slow = exponential(close, slowLength)
  const macd = exponential(close, fastLength).map((fast, i) => fast - slow[i])
  const smooth = exponential(continuedStochastic(macd, cycleLength), d1Length)
  const value = exponential(continuedStochastic(smooth, cycleLength), d2Length).map(x => Math.min(x, 100))
  let before = 50
  let trend = 'bullish'
  return {
    value,
    trend: value.map(x => {
      if (Number.isNaN(x)) return null
      trend = x > before ? 'bullish' : x < before ? 'bearish' : trend
      before = x
      return trend
    }),
  }
}

/** TD Sequential, each side by itself: candles are read again from the start of each setup. */
export function tdsequential({ high, low, close }) {
  const count = close.length
  const names = [
    'buySetupIndex',
    'sellSetupIndex',
    'buyCountdownIndex',
    'sellCountdownIndex',
    'buySetup',
    'sellSetup',
    'buySetupPerfection',
    'sellSetupPerfection',
    'bullishFlip',
    'bearishFlip',
    'TDSTBuy',
    'TDSTSell',
  ]
  const out = Object.fromEntries(names.map(name => [name, new Array(count).fill(null)]))
  const trueHigh = i => Math.max(high[i], close[i - 1])
  const trueLow = i => Math.min(low[i], close[i - 1])
  const compare = i => (i < 4 ? 0 : Math.sign(close[i] - close[i - 4]))
  const flip = i => (i >= 5 && compare(i) !== 0 && compare(i - 1) === -compare(i) ? compare(i) : 0)

  // A setup of the given side (−1 buy, 1 sell) is a flip and the candles after it, up to nine.
  const setup = (i, side) => {
    let start = i
    while (start >= 5 && compare(start) === side && flip(start) !== side) start--
    const number = i - start + 1
    return start >= 5 && flip(start) === side && number <= 9 ? number : 0
  }

  let inForce = null
  const line = { buy: NaN, sell: NaN }
  for (let i = 5; i < count; i++) {
    out.buySetupIndex[i] = setup(i, -1)
    out.sellSetupIndex[i] = setup(i, 1)
    out.bullishFlip[i] = flip(i) === 1
    out.bearishFlip[i] = flip(i) === -1
    if (inForce?.counted.length === 13) inForce = null
    if (out.buySetupIndex[i] === 9 || out.sellSetupIndex[i] === 9) {
      const side = out.buySetupIndex[i] === 9 ? 'buy' : 'sell'
      const nine = Array.from({ length: 9 }, (_, k) => i - 8 + k)
      line[side] = side === 'buy' ? Math.max(...nine.map(trueHigh)) : Math.min(...nine.map(trueLow))
      inForce = { side, nine, counted: inForce?.side === side ? inForce.counted : [] }
    }
    if (inForce?.side === 'buy' && trueLow(i) > line.buy) inForce = null
    if (inForce?.side === 'sell' && trueHigh(i) < line.sell) inForce = null
    if (inForce) {
      const { side, counted } = inForce
      const closesBeyond = side === 'buy' ? close[i] <= low[i - 2] : close[i] >= high[i - 2]
      const eighth = close[counted[7]]
      const isLate = counted.length === 12 && (side === 'buy' ? low[i] > eighth : high[i] < eighth)
      if (closesBeyond && !isLate) counted.push(i)
    }
    for (const side of ['buy', 'sell']) {
      const mine = inForce?.side === side ? inForce : null
      out[`${side}Setup`][i] = mine !== null
      out[`${side}CountdownIndex`][i] = mine ? mine.counted.length : 0
      out[`${side}SetupPerfection`][i] =
        mine !== null &&
        Array.from({ length: i - mine.nine[7] + 1 }, (_, k) => mine.nine[7] + k).some(j =>
          side === 'buy'
            ? low[j] <= low[mine.nine[5]] && low[j] <= low[mine.nine[6]]
            : high[j] >= high[mine.nine[5]] && high[j] >= high[mine.nine[6]],
        )
    }
    out.TDSTBuy[i] = line.buy
    out.TDSTSell[i] = line.sell
  }
  return out
}

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  rvgi: {
    source: 'definition: weights 1 2 2 1 over four candles, summed',
    compute: rvgi,
    cases: [
      ['volatile', {}],
      ['penny', { period: 1 }],
      ['daily', { period: 300 }],
      ['still', {}],
    ],
  },
  squeeze: {
    source: 'definition: bands inside the channel, least squares through the distances',
    compute: squeeze,
    cases: [
      ['volatile', {}],
      ['penny', { lengthBB: 5, lengthKC: 1, multBB: 1, multKC: 2 }],
      ['daily', { lengthBB: 250, lengthKC: 30, multBB: 0.5, multKC: 3 }],
      ['daily', { lengthBB: 10, lengthKC: 150, multBB: 1.5, multKC: 4 }],
    ],
  },
  stc: {
    source: 'definition: stochastic of a smoothed stochastic of MACD',
    compute: stc,
    cases: [
      ['volatile', {}],
      ['penny', { fastLength: 3, slowLength: 5, cycleLength: 2, d1Length: 1, d2Length: 2 }],
      ['daily', { fastLength: 12, slowLength: 150, cycleLength: 60, d1Length: 9, d2Length: 5 }],
    ],
  },
  tdsequential: {
    source: 'definition: DeMark’s rules',
    compute: tdsequential,
    cases: [
      ['volatile', {}],
      ['daily', {}],
    ],
  },
}
