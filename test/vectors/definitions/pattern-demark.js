// Definitions of DeMark's patterns of a few candles.
import { isLonger } from '../columns.js'
import { only, plain } from '../signals.js'

/** Signals after two consecutive closes in one direction, from the pressures of the last candle and of the previous one. */
const differential = isReverse => candles => {
  const { high, low, close } = candles
  const buying = i => close[i] - Math.min(low[i], close[i - 1])
  const selling = i => Math.max(high[i], close[i - 1]) - close[i]
  return only(candles, 2, i => {
    const moves = [i - 1, i].map(k => Math.sign(close[k] - close[k - 1]))
    if (moves[0] !== moves[1] || moves[0] === 0) return 0
    const buyersGain = isLonger(buying(i), buying(i - 1)) && isLonger(selling(i - 1), selling(i))
    const sellersGain = isLonger(buying(i - 1), buying(i)) && isLonger(selling(i), selling(i - 1))
    const wanted = isReverse ? moves[1] : -moves[1]
    if (wanted > 0) return buyersGain ? 100 : 0
    return sellersGain ? -100 : 0
  })
}

function antiDifferential(candles) {
  const { close } = candles
  return only(candles, 4, i => {
    const moves = [3, 2, 1, 0].map(k => Math.sign(close[i - k] - close[i - k - 1])).join(' ')
    return moves === '-1 -1 1 -1' ? 100 : moves === '1 1 -1 1' ? -100 : 0
  })
}

function tdOpen(candles) {
  const { open, high, low } = candles
  return only(candles, 1, i => {
    if (open[i] < low[i - 1] && high[i] > low[i - 1]) return 100
    return open[i] > high[i - 1] && low[i] < high[i - 1] ? -100 : 0
  })
}

function clop(candles) {
  const { open, high, low, close } = candles
  return only(candles, 1, i => {
    const body = [open[i - 1], close[i - 1]]
    if (body.every(price => open[i] < price && high[i] > price)) return 100
    return body.every(price => open[i] > price && low[i] < price) ? -100 : 0
  })
}

function clopwin(candles) {
  const { open, close } = candles
  return only(candles, 1, i => {
    const [bottom, top] = [open[i - 1], close[i - 1]].sort((a, b) => a - b)
    const isWithin = [open[i], close[i]].every(price => price >= bottom && price <= top)
    return isWithin ? 100 * Math.sign(close[i] - close[i - 1]) : 0
  })
}

function camouflage(candles) {
  const { open, high, low, close } = candles
  return only(candles, 3, i => {
    const bottom = Math.min(low[i - 2], close[i - 3])
    const top = Math.max(high[i - 2], close[i - 3])
    if (close[i] < close[i - 1] && close[i] > open[i] && low[i] < bottom) return 100
    return close[i] > close[i - 1] && close[i] < open[i] && high[i] > top ? -100 : 0
  })
}

function trap(candles) {
  const { open, high, low } = candles
  return only(candles, 1, i => {
    if (open[i] < low[i - 1] || open[i] > high[i - 1]) return 0
    return 100 * (Number(high[i] > high[i - 1]) - Number(low[i] < low[i - 1]))
  })
}

/** Source, function and cases of each vector. */
export const vectors = {
  tddifferential: plain('Perl, DeMark Indicators: pressures against two closes', differential(false)),
  tdreversedifferential: plain('Perl, DeMark Indicators: pressures along two closes', differential(true)),
  tdantidifferential: plain('Perl, DeMark Indicators: four changes of the close', antiDifferential),
  tdopen: plain('DeMark: a gap of the open that is closed', tdOpen),
  tdclop: plain('DeMark: the body before is passed from outside', clop),
  tdclopwin: plain('Perl, DeMark Indicators: a body within a body', clopwin),
  tdcamouflage: plain('Perl, DeMark Indicators: a hidden turn after a new extreme', camouflage),
  tdtrap: plain('DeMark: the range before is left on one side', trap),
}
