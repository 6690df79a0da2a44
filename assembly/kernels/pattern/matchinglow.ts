import { Frame } from '../../frame'
import { CandlePairs, hundred } from '../../parts/simd'
import { warmup } from '../../parts/warmup'

/**
 * Matching Low: 100 for two black candles that close at equal prices.
 * Neither has to be long; the trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLMATCHINGLOW.
 */
export function matchinglow(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 6); i < to; i += 2) {
    const areEqual = candles.within(candles.close(i), candles.close(i - 1), candles.equal(i - 1))
    out.setPair(i, hundred(v128.and(areEqual, candles.areBlack(i, 2))))
  }
  out[to] = after
}
