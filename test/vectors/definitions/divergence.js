// Definitions of divergences between the price and oscillators. A column is an array of numbers, NaN where there is no
// value.

const sum = values => values.reduce((total, value) => total + value, 0)
const mean = values => sum(values) / values.length
const typical = ({ high, low, close }) => close.map((price, i) => (high[i] + low[i] + price) / 3)

/** A value for each window of `period` candles, NaN before there is one; the windows are lists of candle numbers. */
const windows = (length, period, calculate, start = 0) =>
  Array.from({ length }, (_, i) =>
    i < start + period - 1
      ? NaN
      : calculate(
          Array.from({ length: period }, (_, k) => i - period + 1 + k),
          i,
        ),
  )

/** Exponential average that is the mean of the values from candle `first` to `seed` at `seed`. */
function exponential(column, first, seed, alpha) {
  const average = column.map(() => NaN)
  if (seed >= column.length) return average
  average[seed] = mean(column.slice(first, seed + 1))
  for (let i = seed + 1; i < column.length; i++)
    average[i] = average[i - 1] + alpha * (column[i] - average[i - 1])
  return average
}

function rsi({ close }, { period = 14 }) {
  const rises = close.map((price, i) => Math.max(0, price - close[i - 1]))
  const falls = close.map((price, i) => Math.max(0, close[i - 1] - price))
  const rise = exponential(rises, 1, period, 1 / period)
  const fall = exponential(falls, 1, period, 1 / period)
  return rise.map((value, i) => (value + fall[i] === 0 ? 0 : (100 * value) / (value + fall[i])))
}

function macdHistogram({ close }, { fastPeriod = 12, slowPeriod = 26, signalPeriod = 9 }) {
  const short = Math.min(fastPeriod, slowPeriod)
  const long = Math.max(fastPeriod, slowPeriod)
  const fast = exponential(close, long - short, long - 1, 2 / (short + 1))
  const slow = exponential(close, 0, long - 1, 2 / (long + 1))
  const line = fast.map((value, i) => value - slow[i])
  const signal = exponential(line, long - 1, long + signalPeriod - 2, 2 / (signalPeriod + 1))
  return line.map((value, i) => value - signal[i])
}

function slowStochastic({ high, low, close }, { kPeriod = 14, kSmooth = 3 }) {
  const raw = windows(close.length, kPeriod, (window, i) => {
    const top = Math.max(...window.map(j => high[j]))
    const bottom = Math.min(...window.map(j => low[j]))
    return top === bottom ? 0 : (100 * (close[i] - bottom)) / (top - bottom)
  })
  return windows(close.length, kSmooth, window => mean(window.map(j => raw[j])))
}

function cci(candles, { period = 20 }) {
  const prices = typical(candles)
  return windows(prices.length, period, (window, i) => {
    const values = window.map(j => prices[j])
    if (values.every(value => value === values[0])) return 0
    const middle = mean(values)
    return (prices[i] - middle) / (0.015 * mean(values.map(value => Math.abs(value - middle))))
  })
}

function mfi(candles, { period = 14 }) {
  const prices = typical(candles)
  const flowOf = (window, isCounted) => sum(window.filter(isCounted).map(j => prices[j] * candles.volume[j]))
  return windows(
    prices.length,
    period,
    window => {
      const rises = flowOf(window, j => prices[j] > prices[j - 1])
      const falls = flowOf(window, j => prices[j] < prices[j - 1])
      return rises + falls === 0 ? 0 : (100 * rises) / (rises + falls)
    },
    1,
  )
}

function obv({ close, volume }) {
  const balance = [volume[0]]
  for (let i = 1; i < close.length; i++)
    balance.push(balance[i - 1] + Math.sign(close[i] - close[i - 1]) * volume[i])
  return balance
}

function ao({ high, low }) {
  const middle = high.map((top, i) => (top + low[i]) / 2)
  const slow = windows(middle.length, 34, window => mean(window.map(j => middle[j])))
  const fast = windows(middle.length, 5, window => mean(window.map(j => middle[j])))
  return fast.map((value, i) => value - slow[i])
}

const mom = ({ close }, { period = 10 }) =>
  close.map((price, i) => (i < period ? NaN : price - close[i - period]))

const moneyFlow = ({ high, low, close, volume }) =>
  close.map((price, i) =>
    high[i] === low[i] ? 0 : (volume[i] * (2 * price - high[i] - low[i])) / (high[i] - low[i]),
  )

function cmf(candles, { period = 20 }) {
  const flow = moneyFlow(candles)
  return windows(flow.length, period, window => {
    const traded = sum(window.map(j => candles.volume[j]))
    return traded === 0 ? 0 : sum(window.map(j => flow[j])) / traded
  })
}

function adosc(candles, { fastPeriod = 3, slowPeriod = 10 }) {
  const line = []
  for (const flow of moneyFlow(candles)) line.push((line.at(-1) ?? 0) + flow)
  const fast = exponential(line, 0, 0, 2 / (fastPeriod + 1))
  const slow = exponential(line, 0, 0, 2 / (slowPeriod + 1))
  return fast.map((value, i) => (i < slowPeriod - 1 ? NaN : value - slow[i]))
}

const willr = ({ high, low, close }, { period = 14 }) =>
  windows(close.length, period, (window, i) => {
    const top = Math.max(...window.map(j => high[j]))
    const bottom = Math.min(...window.map(j => low[j]))
    return top === bottom ? 0 : (-100 * (top - close[i])) / (top - bottom)
  })

const volume = candles => candles.volume

/** The candles at which a column is above `right` values after and not below `left` values before, but for rounding. */
const peaks = (column, left, right) =>
  column.flatMap((value, j) => {
    const before = column.slice(Math.max(0, j - left), j)
    const after = column.slice(j + 1, j + 1 + right)
    const isComplete =
      before.length === left &&
      after.length === right &&
      [...before, ...after].every(other => !Number.isNaN(other))
    return isComplete &&
      before.every(other => !isAbove(other, value)) &&
      after.every(other => isAbove(value, other))
      ? [j]
      : []
  })

/** Whether one value of an oscillator is above another one by more than rounding, a billionth of the greater. */
const isAbove = (value, other) => value - other > 1e-9 * Math.max(Math.abs(value), Math.abs(other))

/** Signals of disagreement between price and oscillator at two consecutive pivots of the oscillator. */
const divergences = oscillator =>
  function compute(candles, params) {
    const { pivotLeft = 5, pivotRight = 5, minSpan = 5, maxSpan = 60, source = 'wick' } = params
    const { high, low, close } = candles
    const column = oscillator(candles, params)
    const first = column.findIndex(value => !Number.isNaN(value))
    const start = first < 0 ? column.length : first + pivotLeft + pivotRight
    const regular = column.map((_, i) => (i < start ? null : 0))
    const hidden = [...regular]
    const span = column.map(() => null)
    const highs = peaks(column, pivotLeft, pivotRight)
    const lows = peaks(
      column.map(value => -value),
      pivotLeft,
      pivotRight,
    )
    for (const [k, b] of highs.entries()) {
      const a = highs[k - 1]
      if (k === 0 || b - a < minSpan || b - a > maxSpan) continue
      const [was, is] = source === 'wick' ? [high[a], high[b]] : [close[a], close[b]]
      if (is > was && isAbove(column[a], column[b])) regular[b + pivotRight] = -100
      else if (is < was && isAbove(column[b], column[a])) hidden[b + pivotRight] = -100
      else continue
      span[b + pivotRight] = b - a
    }
    for (const [k, b] of lows.entries()) {
      const a = lows[k - 1]
      if (k === 0 || b - a < minSpan || b - a > maxSpan) continue
      const [was, is] = source === 'wick' ? [low[a], low[b]] : [close[a], close[b]]
      if (is < was && isAbove(column[b], column[a])) regular[b + pivotRight] = 100
      else if (is > was && isAbove(column[a], column[b])) hidden[b + pivotRight] = 100
      else continue
      span[b + pivotRight] = b - a
    }
    return { regular, hidden, span }
  }

const source = "TradingView's RSI Divergence Indicator, spans as the distance of the pivots"
const vector = (oscillator, short, long) => ({
  source,
  compute: divergences(oscillator),
  cases: [
    ['volatile', {}],
    ['volatile', { ...short, pivotLeft: 2, pivotRight: 1, minSpan: 1, maxSpan: 500 }],
    ['penny', { ...long, pivotLeft: 3, pivotRight: 2, minSpan: 3, maxSpan: 20, source: 'close' }],
    ['daily', { ...short, pivotLeft: 1, pivotRight: 4, minSpan: 8, maxSpan: 8 }],
  ],
})
const withPeriod = oscillator => vector(oscillator, { period: 5 }, { period: 30 })

export const vectors = {
  rsidivergence: withPeriod(rsi),
  macddivergence: vector(
    macdHistogram,
    { fastPeriod: 8, slowPeriod: 5, signalPeriod: 4 },
    { fastPeriod: 10, slowPeriod: 40, signalPeriod: 15 },
  ),
  stochdivergence: vector(slowStochastic, { kPeriod: 5, kSmooth: 1 }, { kPeriod: 20, kSmooth: 8 }),
  ccidivergence: withPeriod(cci),
  mfidivergence: withPeriod(mfi),
  obvdivergence: vector(obv),
  aodivergence: vector(ao),
  momdivergence: withPeriod(mom),
  cmfdivergence: withPeriod(cmf),
  adoscdivergence: vector(adosc, { fastPeriod: 2, slowPeriod: 5 }, { fastPeriod: 6, slowPeriod: 20 }),
  willrdivergence: withPeriod(willr),
  volumedivergence: vector(volume),
}
