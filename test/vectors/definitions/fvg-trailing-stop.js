// The definition of the trailing stop of fair value gaps.
import { mean, simple, unzip } from '../columns.js'

/** The means of the levels of one direction: 1 for rising gaps, −1 for falling ones in the mirrored market. */
function levelMeans(high, low, close, most, smoothing) {
  let levels = []
  let age = -1
  return close.map((c, i) => {
    if (i >= 2 && low[i] > high[i - 2] && close[i - 1] > high[i - 2]) levels.push(high[i - 2])
    levels = levels.slice(-most).filter(level => level <= c)
    if (levels.length > 0) {
      age = 0
      return mean(levels)
    }
    if (age >= 0) age++
    const size = Math.min(Math.max(age, 1), smoothing)
    return mean(close.slice(i - size + 1, i + 1))
  })
}

function fvgtrailingstop({ high, low, close }, { lookback = 5, smoothing = 9, resetOnCross = false }) {
  const minus = column => column.map(value => -value)
  const bull = simple(levelMeans(high, low, close, lookback, smoothing), smoothing)
  const bear = simple(
    minus(levelMeans(minus(low), minus(high), minus(close), lookback, smoothing)),
    smoothing,
  )
  let side = 0
  let stop = null
  return unzip(
    close.map((c, i) => {
      const [sideBefore, stopBefore] = [side, stop]
      if (c > bear[i]) side = 1
      else if (c < bull[i]) side = -1
      const behind = side === 1 ? bull[i] : bear[i]
      const isPassed = stop => (side === 1 ? c < stop : c > stop)
      if (sideBefore === -side && side !== 0) stop = behind
      else if (stop !== null) stop = side === 1 ? Math.max(stop, behind) : Math.min(stop, behind)
      if (resetOnCross) {
        if (stop !== null) stop = isPassed(stop) ? null : stop
        else if (side === 1 ? c > bear[i] : side === -1 && c < bull[i]) stop = behind
      }
      const shown = stop ?? stopBefore ?? NaN
      const [isLong, isShort] = [1, -1].map(each => side === each && !Number.isNaN(shown))
      return {
        upper: isShort ? bear[i] : NaN,
        lower: isLong ? bull[i] : NaN,
        upperStop: isShort ? shown : NaN,
        lowerStop: isLong ? shown : NaN,
      }
    }),
  )
}

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  fvgtrailingstop: {
    source: 'definition: the newest gaps that were not passed, smoothed, and a stop behind them',
    compute: fvgtrailingstop,
    cases: [
      ['volatile', {}],
      ['daily', { lookback: 2, smoothing: 14, resetOnCross: true }],
      ['penny', { lookback: 1, smoothing: 3 }],
      ['volatile', { lookback: 10, smoothing: 2, resetOnCross: true }],
      ['volatile', { lookback: 20, smoothing: 100 }],
    ],
  },
}
