import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Kicker: two long candles of different colours, the second of which opens at the open of the first or beyond it, away
 * from the body of the first. 100 where the second is white, −100 where it is black. A body is long if it exceeds the
 * mean of the previous ten.
 * `kicking` also asks for no shadows; ta4j asks for bodies of 3 percent of the open and for a trend.
 * Source: Morris, Candlestick Charting Explained; ta4j BullishKickerIndicator and BearishKickerIndicator.
 */
export function kicker(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 11); i < to; i++) {
    const first = i - 1
    const isUp = candles.isBlack(first) && candles.isWhite(i) && candles.open(i) >= candles.open(first)
    const isDown = candles.isWhite(first) && candles.isBlack(i) && candles.open(i) <= candles.open(first)
    const fires = (isUp || isDown) && candles.isLong(first) && candles.isLong(i)
    out[i] = fires ? (isUp ? 100 : -100) : 0
  }
}
