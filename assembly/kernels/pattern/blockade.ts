import { Frame } from '../../frame'
import { BothSides, Sides } from '../../parts/both-sides'

/**
 * Blockade: 100 where a black candle is followed by three whose lows lie between its low and its close, the first of which
 * closes below its open and the last of which is white and closes above its high; −100 for the mirror image.
 * A low may meet either end.
 * Source: Kaabar, Mastering Financial Pattern Recognition (2022).
 */
export function blockade(frame: Frame, from: i32, to: i32): void {
  BothSides.write(frame, from, to, 3, pointsUp)
}

function pointsUp(candles: Sides, i: i32, isUp: bool): v128 {
  const first = i - 3
  const second = i - 2
  const third = i - 1
  const lowest = f64x2.pmin(
    f64x2.pmin(candles.low(second, isUp), candles.low(third, isUp)),
    candles.low(i, isUp),
  )
  const highest = f64x2.pmax(
    f64x2.pmax(candles.low(second, isUp), candles.low(third, isUp)),
    candles.low(i, isUp),
  )
  const isBlocked = v128.and(
    f64x2.ge(lowest, candles.low(first, isUp)),
    f64x2.le(highest, candles.close(first, isUp)),
  )
  const begins = v128.and(
    candles.falls(first, isUp),
    f64x2.lt(candles.close(second, isUp), candles.open(first, isUp)),
  )
  const breaksOut = v128.and(
    candles.rises(i, isUp),
    f64x2.gt(candles.close(i, isUp), candles.high(first, isUp)),
  )
  return v128.and(isBlocked, v128.and(begins, breaksOut))
}
