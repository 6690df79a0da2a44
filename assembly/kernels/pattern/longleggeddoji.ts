import { Frame } from '../../frame'
import { CandlePairs, hundred } from '../../parts/numbers/simd'
import { areLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Long-Legged Doji: 100 for a doji with a shadow longer than its body.
 * One long shadow is enough, where others ask for two; the positive sign means nothing.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLLONGLEGGEDDOJI.
 */
export function longleggeddoji(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const ranges = frame.scratch(0)
  const start = warmup(out, from, to, 10)
  candles.sumRanges(ranges, start, to)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const long = candles.body(i)
    const isOneLong = v128.or(
      areLonger(candles.upperShadow(i), long),
      areLonger(candles.lowerShadow(i), long),
    )
    out.setPair(i, hundred(v128.and(isOneLong, candles.isDoji(i, ranges))))
  }
  out[to] = after
}
