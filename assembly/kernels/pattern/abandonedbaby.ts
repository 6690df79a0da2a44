import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { isLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Abandoned Baby: a long candle, a doji that leaves a gap on both its sides, and a candle of the other colour that
 * closes deeper than `penetration` bodies into the first. −100 where the doji stands above, 100 where it lies below.
 * The third body has to be longer than short; the trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLABANDONEDBABY.
 */
export function abandonedbaby(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 12); i < to; i += 2) {
    // A gap between ranges is rare: the other conditions are checked only where there are two.
    const possible = v128.and(pairs.rangeGaps(i - 2, i - 1), pairs.rangeGaps(i - 1, i))
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const first = i - 2
  const doji = i - 1
  const third = i
  const isTop = candles.gapsUp(first, doji) && candles.gapsDown(doji, third)
  const isBottom = candles.gapsDown(first, doji) && candles.gapsUp(doji, third)
  let value: f64 = 0
  if ((isTop || isBottom) && candles.isLong(first) && candles.isDoji(doji) && !candles.isShort(third)) {
    const depth = candles.body(first) * candles.number(0)
    if (isTop && candles.isWhite(first) && candles.isBlack(third)) {
      if (isLonger(candles.close(first) - candles.close(third), depth)) value = -100
    } else if (isBottom && candles.isBlack(first) && candles.isWhite(third)) {
      if (isLonger(candles.close(third) - candles.close(first), depth)) value = 100
    }
  }
  return value
}
