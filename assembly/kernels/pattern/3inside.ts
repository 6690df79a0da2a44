import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Three Inside Up/Down: a long candle, a short body inside its body, and a candle of the other colour that closes
 * beyond the open of the first. 100 after a black candle, −100 after a white one.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDL3INSIDE.
 */
export function _3inside(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 12); i < to; i++) {
    const first = i - 2
    const second = i - 1
    const third = i
    const isWayOut = candles.isBlack(first)
      ? candles.isWhite(third) && candles.close(third) > candles.open(first)
      : candles.isBlack(third) && candles.close(third) < candles.open(first)
    const fires =
      isWayOut && candles.bodyInside(first, second) && candles.isLong(first) && candles.isShort(second)
    out[i] = fires ? -100 * candles.colour(first) : 0
  }
}
