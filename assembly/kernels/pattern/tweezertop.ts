import { Frame } from '../../frame'
import { Candles, within } from '../../parts/candles/candle-shape'
import { Colours, EqualPrices } from '../../parts/candles/equal-prices'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Tweezer Top: −100 where a long white candle is followed by a black one with an equal high. A body is long if it
 * exceeds the mean of the previous ten; highs are equal if they differ by at most a twentieth of the mean range of the
 * five candles before the first one. Nison also has tweezers of other colours and several candles apart; the trend
 * before the pattern is ignored.
 * Source: Nison, Japanese Candlestick Charting Techniques (1991), with the colours and the long first body that the
 * built-in pattern of TradingView has.
 */
export function tweezertop(frame: Frame, from: i32, to: i32): void {
  const first = warmup(frame.output(0), from, to, 11)
  EqualPrices.write(frame, 1, first, to, Colours.whiteThenBlack, signalAt)
}

function signalAt(candles: Candles, i: i32): f64 {
  const before = i - 1
  const fires =
    candles.isWhite(before) &&
    candles.isBlack(i) &&
    within(candles.high(i), candles.high(before), candles.equal(before)) &&
    candles.isLong(before)
  return fires ? -100 : 0
}
