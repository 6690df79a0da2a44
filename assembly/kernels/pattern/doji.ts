import { Frame } from '../../frame'
import { CandlePairs, hundred } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Doji: 100 where the body is at most a tenth of the mean range of the ten candles before.
 * It means indecision; the positive sign has no meaning.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLDOJI.
 */
export function doji(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const ranges = frame.scratch(0)
  const start = warmup(out, from, to, 10)
  candles.sumRanges(ranges, start, to)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    out.setPair(i, hundred(candles.isDoji(i, ranges)))
  }
  out[to] = after
}
