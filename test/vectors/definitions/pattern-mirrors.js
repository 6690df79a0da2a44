// Definitions of the mirror images of one-sided patterns of TA-Lib, each written out. A candle whose close equals its open is
// black here.
import { mean } from '../columns.js'
import { before, gapping, only, plain } from '../signals.js'

/** TA-Lib's measures (long, short, near and so on), from the candles before candle i. */
function measures({ open, high, low, close }) {
  const body = i => Math.abs(close[i] - open[i])
  const range = i => high[i] - low[i]
  const shadows = i => high[i] - Math.max(open[i], close[i]) + Math.min(open[i], close[i]) - low[i]
  const meanBody = i => mean(before(i, 10, body))
  return {
    isWhite: i => close[i] > open[i],
    isBlack: i => close[i] <= open[i],
    body,
    top: i => Math.max(open[i], close[i]),
    bottom: i => Math.min(open[i], close[i]),
    lowerShadow: i => Math.min(open[i], close[i]) - low[i],
    isLong: i => body(i) > meanBody(i),
    isShort: i => body(i) <= meanBody(i),
    isSmall: i => body(i) < meanBody(i),
    equal: i => 0.05 * mean(before(i, 5, range)),
    near: i => 0.2 * mean(before(i, 5, range)),
    far: i => 0.6 * mean(before(i, 5, range)),
    veryShortShadow: i => 0.1 * mean(before(i, 10, range)),
    shortShadow: i => mean(before(i, 10, shadows)) / 2,
  }
}

/** A signal if every condition that `conditions` lists for candle i holds. */
const where = (lookback, value, conditions) => candles => {
  const measured = { ...candles, ...measures(candles) }
  return only(candles, lookback, i => (conditions(measured, i).every(Boolean) ? value : 0))
}

const matchingHigh = where(6, -100, ({ isWhite, close, equal }, i) => [
  isWhite(i - 1),
  isWhite(i),
  Math.abs(close[i] - close[i - 1]) <= equal(i - 1),
])

const twoRabbits = where(12, 100, ({ isWhite, isBlack, isLong, open, close, top, bottom }, i) => [
  isBlack(i - 2) && isLong(i - 2),
  isWhite(i - 1) && top(i - 1) < bottom(i - 2),
  isWhite(i),
  open[i] > open[i - 1] && open[i] < close[i - 1],
  close[i] > close[i - 2] && close[i] < open[i - 2],
])

const gapTwoRabbits = where(12, 100, ({ isWhite, isBlack, isLong, isShort, open, close, top, bottom }, i) => [
  isBlack(i - 2) && isLong(i - 2),
  isWhite(i - 1) && isShort(i - 1) && top(i - 1) < bottom(i - 2),
  isWhite(i) && open[i] < open[i - 1] && close[i] > close[i - 1],
  close[i] < close[i - 2],
])

const threeMountain = where(12, -100, ({ isWhite, isBlack, isLong, isSmall, open, high, close }, i) => [
  isWhite(i - 2) && isLong(i - 2),
  isWhite(i - 1) && close[i - 1] < close[i - 2] && open[i - 1] >= open[i - 2] && high[i - 1] > high[i - 2],
  isBlack(i) && isSmall(i) && open[i] < high[i - 1],
])

const hawk = where(11, -100, ({ isWhite, isLong, isShort, open, close }, i) => [
  isWhite(i - 1) && isLong(i - 1),
  isWhite(i) && isShort(i),
  open[i] > open[i - 1] && close[i] < close[i - 1],
])

/** Opens below the open before, but not far below the close before. */
const opensOn = ({ open, close, near }, i) => open[i] < open[i - 1] && open[i] >= close[i - 1] - near(i - 1)

/** Four ways in which a fall over three candles loses strength. */
function weakens({ body, near, far, lowerShadow, shortShadow }, i) {
  const [a, b] = [i - 2, i - 1]
  const [x, y, z] = [a, b, i].map(body)
  return (
    (y < x - far(a) && z < y + near(b)) ||
    z < y - far(b) ||
    (z < y && y < x && (lowerShadow(i) > shortShadow(i) || lowerShadow(b) > shortShadow(b))) ||
    (z < y && lowerShadow(i) > z)
  )
}

const descentBlock = where(12, 100, (m, i) => [
  [i - 2, i - 1, i].every(m.isBlack),
  m.close[i - 1] < m.close[i - 2] && m.close[i] < m.close[i - 1],
  opensOn(m, i - 1) && opensOn(m, i),
  m.isLong(i - 2) && m.lowerShadow(i - 2) < m.shortShadow(i - 2),
  weakens(m, i),
])

const deliberation = where(12, 100, (m, i) => [
  [i - 2, i - 1, i].every(m.isBlack),
  m.close[i - 1] < m.close[i - 2] && m.close[i] < m.close[i - 1],
  m.isLong(i - 2) && m.isLong(i - 1),
  m.lowerShadow(i - 1) < m.veryShortShadow(i - 1),
  opensOn(m, i - 1),
  m.isSmall(i) && m.open[i] <= m.close[i - 1] + m.body(i) + m.near(i - 1),
])

const ladder = where(14, -100, ({ isWhite, isBlack, open, low, close, lowerShadow, veryShortShadow }, i) => [
  [4, 3, 2, 1].every(k => isWhite(i - k)),
  open[i - 4] < open[i - 3] && open[i - 3] < open[i - 2],
  close[i - 4] < close[i - 3] && close[i - 3] < close[i - 2],
  lowerShadow(i - 1) > veryShortShadow(i - 1),
  isBlack(i) && open[i] < open[i - 1] && close[i] < low[i - 1],
])

const sandwich = where(7, -100, ({ isWhite, isBlack, high, close, equal }, i) => [
  isWhite(i - 2),
  isBlack(i - 1) && high[i - 1] < close[i - 2],
  isWhite(i) && Math.abs(close[i] - close[i - 2]) <= equal(i - 2),
])

const mirror = (name, compute) => plain(`${name} of TA-Lib on negated prices`, compute, gapping)

/** Source, function and cases of each vector. */
export const vectors = {
  matchinghigh: mirror('CDLMATCHINGLOW', matchingHigh),
  tworabbits: mirror('CDL2CROWS', twoRabbits),
  downsidegaptworabbits: mirror('CDLUPSIDEGAP2CROWS', gapTwoRabbits),
  uniquethreemountain: mirror('CDLUNIQUE3RIVER', threeMountain),
  descendinghawk: mirror('CDLHOMINGPIGEON', hawk),
  descentblock: mirror('CDLADVANCEBLOCK', descentBlock),
  deliberationblock: mirror('CDLSTALLEDPATTERN', deliberation),
  laddertop: mirror('CDLLADDERBOTTOM', ladder),
  bearishsticksandwich: mirror('CDLSTICKSANDWICH', sandwich),
}
