// Definitions of returns and of losses since a peak.
import { mean, sum, windows } from '../columns.js'

/**
 * Result of `calculate` for each value and the value `period` candles earlier. With `cumulative`, the other value is
 * the first one.
 */
const changes = ({ close }, { period = 1, cumulative = false }, calculate) => ({
  value: close.map((now, i) => {
    if (!cumulative && i < period) return NaN
    return calculate(now, cumulative ? close[0] : close[i - period])
  }),
})
const logOf = (now, before) => (Math.min(now, before) > 0 ? Math.log(now / before) : NaN)
const shareOf = (now, before) => (before === 0 ? NaN : now / before - 1)

function drawdown({ close }) {
  const peaks = close.map((_, i) => Math.max(...close.slice(0, i + 1)))
  return {
    value: close.map((c, i) => peaks[i] - c),
    percent: close.map((c, i) => (peaks[i] === 0 ? NaN : 1 - c / peaks[i])),
    log: close.map((c, i) => (c > 0 ? Math.log(peaks[i] / c) : NaN)),
  }
}

const returnsOf = close =>
  close.map((now, i) => (i === 0 || close[i - 1] === 0 ? NaN : now / close[i - 1] - 1))
/** Applies `calculate` to the last `period` returns, including the zero returns of equal values. */
const ofReturns = (source, standard, calculate, ...sets) => ({
  source: `definition: ${source}`,
  compute: ({ close }, { period = standard, ...others }) => ({
    value: windows(returnsOf(close), period, returns => calculate(returns, others)),
  }),
  cases: [['volatile', {}], ['daily', {}], ...sets],
})
/** The standard deviation; squares are divided by their number less `missing`. */
const deviationOf = (returns, missing) =>
  Math.sqrt(sum(returns.map(r => (r - mean(returns)) ** 2)) / (returns.length - missing))

function sharpe(returns, { riskFree = 0 }) {
  const isFlat = returns.every(r => r === returns[0])
  return isFlat ? NaN : (mean(returns) - riskFree) / deviationOf(returns, 0)
}

const downside = (returns, { target = 0 }) => Math.sqrt(mean(returns.map(r => Math.min(0, r - target) ** 2)))

function sortino(returns, { target = 0 }) {
  const divisor = downside(returns, { target })
  return divisor === 0 ? NaN : (mean(returns) - target) / divisor
}

/** The share of a normal distribution between 0 and z: its density times z + z³/3 + z⁵/(3·5) + … */
function shareUpTo(z) {
  let total = 0
  let term = z
  for (let k = 1; total + term !== total; k += 2) {
    total += term
    term *= (z * z) / (k + 2)
  }
  return (total * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI)
}

/** Quantile of the normal distribution, found by repeatedly halving the interval in which it lies. */
function quantileOf(probability) {
  let [low, high] = [0, 10]
  for (let k = 0; k < 100; k++) {
    const middle = (low + high) / 2
    if (shareUpTo(middle) < probability - 0.5) low = middle
    else high = middle
  }
  return low
}

const atRisk = (returns, { confidence = 0.95 }) =>
  mean(returns) - quantileOf(confidence) * deviationOf(returns, 1)

function omega(returns, { threshold = 0 }) {
  const gains = sum(returns.map(r => Math.max(r - threshold, 0)))
  const losses = sum(returns.map(r => Math.max(threshold - r, 0)))
  return losses === 0 ? NaN : gains / losses
}

/** Fall of each value of a window from the highest value since the start of the window, as a share. */
export const fallsOf = values => values.map((value, k) => 1 - value / Math.max(...values.slice(0, k + 1)))
const ofFalls = (source, standard, calculate) => ({
  source: `definition: ${source}`,
  compute: ({ close }, { period = standard }) => ({
    value: windows(close, period, values =>
      values.some(value => value <= 0) ? NaN : calculate(fallsOf(values)),
    ),
  }),
  cases: [
    ['volatile', {}],
    ['penny', { period: 2 }],
    ['daily', { period: 60 }],
  ],
})

function duration({ close }) {
  const peaks = close.map((_, i) => Math.max(...close.slice(0, i + 1)))
  return { value: close.map((_, i) => i - close.slice(0, i + 1).lastIndexOf(peaks[i])) }
}

const cases = [
  ['volatile', {}],
  ['penny', { cumulative: true }],
  ['daily', { period: 7 }],
  ['belowzero', { cumulative: true }],
  ['volatile', { period: 350 }],
]

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  logreturn: {
    source: 'definition: the logarithm of the quotient',
    compute: (candles, p) => changes(candles, p, logOf),
    cases,
  },
  percentreturn: {
    source: 'definition: the change as a fraction',
    compute: (candles, p) => changes(candles, p, shareOf),
    cases,
  },
  drawdown: {
    source: 'definition: the distance from the highest value so far',
    compute: drawdown,
    cases: [
      ['volatile', {}],
      ['daily', {}],
      ['belowzero', {}],
    ],
  },
  sharperatio: ofReturns(
    'the mean return in deviations',
    30,
    sharpe,
    ['penny', { period: 2 }],
    ['volatile', { period: 350, riskFree: 0.001 }],
  ),
  downsidedeviation: ofReturns(
    'the root mean squared shortfall',
    30,
    downside,
    ['penny', { period: 1 }],
    ['volatile', { period: 350, target: 0.01 }],
  ),
  sortinoratio: ofReturns(
    'the mean return in downside deviations',
    30,
    sortino,
    ['penny', { period: 1 }],
    ['volatile', { period: 350, target: 0.01 }],
  ),
  valueatrisk: ofReturns(
    'the quantile of a normal distribution',
    252,
    atRisk,
    ['penny', { period: 2, confidence: 0.5 }],
    ['volatile', { period: 30, confidence: 0.99 }],
    ['volatile', { period: 30, confidence: 0.9 }],
    ['daily', { period: 30, confidence: 0.9999 }],
  ),
  omegaratio: ofReturns(
    'gains divided by losses',
    30,
    omega,
    ['penny', { period: 1 }],
    ['volatile', { period: 350, threshold: 0.01 }],
  ),
  maxdrawdown: ofFalls('the largest fall from a peak of the window', 252, falls => Math.max(...falls)),
  painindex: ofFalls('the mean fall from a peak of the window', 14, mean),
  drawdownduration: {
    source: 'definition: candles since the highest value so far',
    compute: duration,
    cases: [
      ['volatile', {}],
      ['daily', {}],
      ['belowzero', {}],
    ],
  },
}
