import { Frame } from '../../frame'
import { Candles, within } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Stick Sandwich: 100 where a white candle that stays above the close before stands between two black ones that close
 * at equal prices.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLSTICKSANDWICH.
 */
export function sticksandwich(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 7); i < to; i++) {
    const first = i - 2
    const second = i - 1
    const third = i
    const fires =
      candles.isBlack(first) &&
      candles.isWhite(second) &&
      candles.isBlack(third) &&
      candles.low(second) > candles.close(first) &&
      within(candles.close(third), candles.close(first), candles.equal(first))
    out[i] = fires ? 100 : 0
  }
}
