import { Column, Frame } from '../../frame'
import { presentAverage, weightOf } from '../../parts/averages/present-average'
import { ratio } from '../../parts/numbers/change'
import { areRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { commodityChannel } from '../../parts/shared/commodity-channel'
import { moneyFlowIndex } from '../../parts/shared/money-flow-index'
import { relativeStrength, strengthState } from '../../parts/shared/rsi'
import { ultimateOscillator } from '../../parts/shared/ultimate-oscillator'
import { movingRange } from '../../parts/windows/extremes'

/** The periods of the ultimate oscillator. */
const short: i32 = 7
const middle: i32 = 14
const long: i32 = 28

/**
 * TKE: the mean of seven oscillators: relative strength, stochastic, ultimate oscillator (7, 14, 28), money flow, Williams'
 * %R, rate of change (the ratio times 100) and commodity channel index; `signal` is its exponential average.
 * Each by TA-Lib's rules: stochastic and %R are 0 where the candles have no range.
 * Source: Erdinc, TKE (TradingView); freqtrade technical TKE.
 */
export function tke(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const value = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const count = frame.integer(1)
  const each = frame.scratch(5).from(-from)
  relativeStrength(close, value, from, to, period, state)
  ultimateOscillator(frame, each, from, to, short, middle, long)
  add(value, each, from, to)
  moneyFlowIndex(frame, each, from, to, 0)
  add(value, each, from, to)
  commodityChannel(frame, false, each, from, to, period, 0)
  add(value, each, from, to)
  ratio(close, each, max(from, period), to, period, 100)
  add(value, each, from, to)
  const first = warmup(value, from, to, max(period, long))
  if (first < to) addStochastics(frame, value, first, to, period)
  presentAverage(value, frame.output(1), from, to, count, weightOf(count), state.from(strengthState))
}

/** Adds `other` to `sum`. Values during the warm-up are undefined. */
function add(sum: Column, other: Column, from: i32, to: i32): void {
  const after = sum[to]
  for (let i = from; i < to; i += 2) sum.setPair(i, f64x2.add(sum.pair(i), other.pair(i)))
  sum[to] = after
}

/** Adds the stochastic and %R (the stochastic minus 100), and divides the sum by seven. */
function addStochastics(frame: Frame, sum: Column, from: i32, to: i32, period: i32): void {
  const close = frame.input(2)
  const highest = frame.scratch(0).from(-from)
  const lowest = frame.scratch(1).from(-from)
  movingRange(frame.input(0), frame.input(1), 0, highest, lowest, from, to, period, frame.scratch(2))
  const after = sum[to]
  for (let i = from; i < to; i += 2) {
    const bottom = lowest.pair(i)
    const range = f64x2.sub(highest.pair(i), bottom)
    const place = f64x2.div(f64x2.mul(f64x2.sub(close.pair(i), bottom), f64x2.splat(200)), range)
    const both = f64x2.sub(place, f64x2.splat(100))
    const isFlat = areRounding(range, bottom)
    sum.setPair(i, f64x2.div(f64x2.add(sum.pair(i), v128.andnot(both, isFlat)), f64x2.splat(7)))
  }
  sum[to] = after
}
