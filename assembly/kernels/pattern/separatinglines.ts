import { Frame } from '../../frame'
import { Candles, within } from '../../parts/candles/candle-shape'
import { Colours, EqualPrices } from '../../parts/candles/equal-prices'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Separating Lines: two candles of different colours that open at equal prices, the second a belt-hold. 100 where that
 * is white, −100 where it is black.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLSEPARATINGLINES.
 */
export function separatinglines(frame: Frame, from: i32, to: i32): void {
  const first = warmup(frame.output(0), from, to, 11)
  EqualPrices.write(frame, 0, first, to, Colours.differ, signalAt)
}

function signalAt(candles: Candles, i: i32): f64 {
  const first = i - 1
  const second = i
  const fires =
    !candles.sameColour(first, second) &&
    within(candles.open(second), candles.open(first), candles.equal(first)) &&
    candles.isBeltHold(second)
  return fires ? 100 * candles.colour(second) : 0
}
