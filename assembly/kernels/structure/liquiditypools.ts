import { Frame } from '../../frame'
import { Levels } from '../../parts/equal-swings'
import { averageTrueRange } from '../../parts/true-range'
import { warmup } from '../../parts/warmup'

/**
 * Liquidity Pools: the nearest level of at least two equal swing highs above the close (`buySide`, where stops of sellers
 * rest) and of at least two equal swing lows below it (`sellSide`), null where there is none.
 * Levels are those of `equalhighslows`: swings of `swingLeft` and `swingRight` candles within toleranceATR times the ATR
 * (`atrPeriod`, of the confirming candle) of a level join it, and its price is their mean. A level of highs goes when a
 * high lies above it by more than the tolerance of its last swing, a level of lows the other way round, and so does the
 * oldest of more than 8 levels of a side, single swings included.
 * Source: liquidity of smart money concepts: equal highs and lows that were not traded through.
 */
export function liquiditypools(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const buySide = frame.output(0)
  const sellSide = frame.output(1)
  const range = frame.scratch(0)
  const left = frame.integer(0)
  const right = frame.integer(1)
  const tolerance = frame.number(2)
  const period = frame.integer(3)
  const tops = Levels.of(frame.state.from(1))
  const bottoms = Levels.of(frame.state.from(1 + Levels.size))
  if (from === 0) {
    tops.reset()
    bottoms.reset()
  }
  averageTrueRange(high, low, close, range, from, to, period, frame.state)
  const lookback = max(left + right, period)
  warmup(sellSide, from, to, lookback)
  for (let i = warmup(buySide, from, to, lookback); i < to; i++) {
    tops.trade(high[i], 1)
    bottoms.trade(low[i], -1)
    tops.confirm(high, i, left, right, tolerance * range[i], 1)
    bottoms.confirm(low, i, left, right, tolerance * range[i], -1)
    buySide[i] = tops.nearestPool(close[i], 1)
    sellSide[i] = bottoms.nearestPool(close[i], -1)
  }
}
