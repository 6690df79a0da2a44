import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { isLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Tristar: three dojis; the body of the second lies beyond a gap from the first, and that of the third does not extend
 * as far. −100 where the second stands above, 100 where it lies below.
 * All three bodies are compared with the ten candles before the first one, as in TA-Lib.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLTRISTAR.
 */
export function tristar(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 12); i < to; i += 2) {
    // A gap between bodies is rare: the other conditions are checked only where there is one.
    const possible = pairs.bodyGaps(i - 2, i - 1)
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const first = i - 2
  const second = i - 1
  const third = i
  const isTop = candles.bodyGapsUp(first, second) && candles.top(third) < candles.top(second)
  const isBottom = candles.bodyGapsDown(first, second) && candles.bottom(third) > candles.bottom(second)
  let value: f64 = 0
  if (isTop || isBottom) {
    const longest = candles.longestDoji(first)
    if (
      !isLonger(candles.body(first), longest) &&
      !isLonger(candles.body(second), longest) &&
      !isLonger(candles.body(third), longest)
    )
      value = isTop ? -100 : 100
  }
  return value
}
