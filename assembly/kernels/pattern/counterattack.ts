import { Frame } from '../../frame'
import { Candles, within } from '../../parts/candles/candle-shape'
import { Colours, EqualPrices } from '../../parts/candles/equal-prices'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Counterattack: two long candles of different colours that close at equal prices. 100 where the second is white, −100
 * where it is black.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLCOUNTERATTACK.
 */
export function counterattack(frame: Frame, from: i32, to: i32): void {
  const first = warmup(frame.output(0), from, to, 11)
  EqualPrices.write(frame, 3, first, to, Colours.differ, signalAt)
}

function signalAt(candles: Candles, i: i32): f64 {
  const first = i - 1
  const second = i
  const fires =
    !candles.sameColour(first, second) &&
    within(candles.close(second), candles.close(first), candles.equal(first)) &&
    candles.isLong(first) &&
    candles.isLong(second)
  return fires ? 100 * candles.colour(second) : 0
}
