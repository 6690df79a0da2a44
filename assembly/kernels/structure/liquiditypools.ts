import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { Levels, prepareLevels } from '../../parts/swings/equal-swings'

/**
 * Liquidity Pools: the nearest level of at least two equal swing highs above the close (`buySide`, where stops of
 * sellers rest) and of at least two equal swing lows below it (`sellSide`), null where there is none.
 * Levels are those of `equalhighslows`: swings of `swingLeft` and `swingRight` candles within toleranceATR times the
 * ATR (`atrPeriod`, of the confirming candle) of a level join it, and its price is their mean. A level of highs is
 * removed when a high lies above it by more than the tolerance of its last swing; levels of lows mirror this. Of more
 * than 8 levels of a side, single swings included, the oldest is removed.
 * Source: liquidity of smart money concepts: equal highs and lows that were not traded through.
 */
export function liquiditypools(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const buySide = frame.output(0)
  const sellSide = frame.output(1)
  const tops = Levels.tops(frame)
  const bottoms = Levels.bottoms(frame)
  const lookback = prepareLevels(frame, from, to)
  warmup(sellSide, from, to, lookback)
  for (let i = warmup(buySide, from, to, lookback); i < to; i++) {
    tops.advance(frame, high, i, 1)
    bottoms.advance(frame, low, i, -1)
    buySide[i] = tops.nearestPool(close[i], 1)
    sellSide[i] = bottoms.nearestPool(close[i], -1)
  }
}
