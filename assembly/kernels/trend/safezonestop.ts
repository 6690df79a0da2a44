import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMax, movingMin } from '../../parts/windows/extremes'
import { movingSum } from '../../parts/windows/sums'

/**
 * SafeZone Stop: `long` is the highest, over the last `lookback` candles, of the previous low minus `multiplier` mean
 * falls of the low from candle to candle over `period` candles. `short` is the lowest of the previous high plus
 * `multiplier` mean rises of the high. A mean is 0 if there was no fall or rise. jesse and VectorTA use Wilder's
 * directional sums, which have another scale.
 * Source: Elder, Come Into My Trading Room (2002); OoplesFinance.StockIndicators.
 */
export function safezonestop(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  const window = frame.integer(2)
  const lookback = period + window - 1
  for (let side = 0; side < 2; side++) {
    const out = frame.output(side)
    const first = warmup(out, from, to, lookback)
    if (first >= to) continue
    // A long position is stopped below the lows, a short one above the highs.
    const x = frame.input(1 - side)
    const sign: f64 = side === 0 ? 1 : -1
    const start = first - window + 1
    const oldest = start - period + 1
    const sizes = frame.scratch(0).from(-oldest)
    const counts = frame.scratch(1).from(-oldest)
    const sums = frame.scratch(2).from(-oldest)
    const lines = frame.scratch(3).from(-oldest)
    const suffixes = frame.scratch(4)
    for (let i = oldest; i < to; i++) {
      sizes[i] = max(0, sign * (x[i - 1] - x[i]))
      counts[i] = sizes[i] > 0 ? 1 : 0
    }
    movingSum(sizes, 1, sums, start, to, period, suffixes)
    movingSum(counts, 1, lines, start, to, period, suffixes)
    for (let i = start; i < to; i++) {
      const mean = lines[i] > 0 ? sums[i] / lines[i] : 0
      lines[i] = x[i - 1] - sign * frame.number(1) * mean
    }
    if (side === 0) movingMax(lines, period, out, first, to, window, suffixes)
    else movingMin(lines, period, out, first, to, window, suffixes)
  }
}
