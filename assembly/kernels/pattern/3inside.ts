import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Three Inside Up/Down: a long candle, a short body inside its body, and a candle of the other colour that closes
 * beyond the open of the first. 100 after a black candle, −100 after a white one.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDL3INSIDE.
 */
export function _3inside(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 12); i < to; i += 2) {
    // A body inside another one is rare: the other conditions are checked only where there is one.
    const possible = v128.and(pairs.bodyInside(i - 2, i - 1), pairs.differ(i - 2, i))
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const first = i - 2
  const second = i - 1
  const third = i
  const isWayOut = candles.isBlack(first)
    ? candles.isWhite(third) && candles.close(third) > candles.open(first)
    : candles.isBlack(third) && candles.close(third) < candles.open(first)
  const fires =
    isWayOut && candles.bodyInside(first, second) && candles.isLong(first) && candles.isShort(second)
  return fires ? -100 * candles.colour(first) : 0
}
