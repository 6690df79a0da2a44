import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Intraday Intensity Index: the mean over `period` candles of p / volume (`quotient`, as on TradingView) or p·volume
 * (`product`, Bostian's own), where p is the position of the close in the range of its candle, from −1 to 1.
 * A candle without range counts as 0; the quotient has no value while a candle of the window has no volume.
 * Source: Bostian, Intraday Intensity; TradingView, ta.iii.
 */
export function intradayintensity(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const out = frame.output(0)
  const isQuotient = frame.integer(0) === 0
  const period = frame.integer(1)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const values = frame.scratch(0).from(-oldest)
  for (let i = oldest; i < to; i++) {
    const range = high[i] - low[i]
    const place = range !== 0 ? (2 * close[i] - high[i] - low[i]) / range : 0
    values[i] = !isQuotient ? place * volume[i] : volume[i] !== 0 ? place / volume[i] : NaN
  }
  movingMean(values, 0, out, first, to, period, frame.scratch(1))
}
