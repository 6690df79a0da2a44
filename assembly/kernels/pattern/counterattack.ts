import { Frame } from '../../frame'
import { Candles, within } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Counterattack: two long candles of different colours that close at equal prices. 100 where the second is white, −100
 * where it is black.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLCOUNTERATTACK.
 */
export function counterattack(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 11); i < to; i++) {
    const first = i - 1
    const second = i
    const fires =
      !candles.sameColour(first, second) &&
      within(candles.close(second), candles.close(first), candles.equal(first)) &&
      candles.isLong(first) &&
      candles.isLong(second)
    out[i] = fires ? 100 * candles.colour(second) : 0
  }
}
