import { Frame } from '../../frame'
import { returnsOf } from '../../parts/numbers/returns'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Amihud Illiquidity: the mean over `period` candles of the size of the return from candle to candle, divided by close
 * times volume. Not scaled.
 * No value while a candle of the window has no volume or a close of 0.
 * Source: Amihud, Illiquidity and Stock Returns (2002).
 */
export function amihud(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const terms = frame.scratch(0).from(-oldest)
  returnsOf(close, terms, oldest, to)
  for (let i = oldest; i < to; i++) {
    const turnover = close[i] * volume[i]
    terms[i] = turnover !== 0 ? abs(terms[i]) / turnover : NaN
  }
  movingMean(terms, 1, out, first, to, period, frame.scratch(1))
}
