import { Frame } from '../../frame'
import { Candles, within } from '../../parts/candles/candle-shape'
import { Colours, EqualPrices } from '../../parts/candles/equal-prices'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Matching Low: 100 for two black candles that close at equal prices.
 * Neither has to be long; the trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLMATCHINGLOW.
 */
export function matchinglow(frame: Frame, from: i32, to: i32): void {
  const first = warmup(frame.output(0), from, to, 6)
  EqualPrices.write(frame, 3, first, to, Colours.black, signalAt)
}

function signalAt(candles: Candles, i: i32): f64 {
  const before = i - 1
  const fires =
    candles.isBlack(before) &&
    candles.isBlack(i) &&
    within(candles.close(i), candles.close(before), candles.equal(before))
  return fires ? 100 : 0
}
