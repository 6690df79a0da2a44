import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { isLonger } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Dark Cloud Cover: −100 where a long white candle is followed by a black one that opens above its high and closes
 * inside its body, deeper than `penetration` bodies below its close.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLDARKCLOUDCOVER.
 */
export function darkcloudcover(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 11); i < to; i += 2) {
    // An open above the high before is rare: the other conditions are checked only there.
    const possible = v128.and(f64x2.gt(pairs.open(i), pairs.high(i - 1)), pairs.isBlack(i))
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const first = i - 1
  const second = i
  const fires =
    candles.isWhite(first) &&
    candles.isBlack(second) &&
    candles.open(second) > candles.high(first) &&
    candles.close(second) > candles.open(first) &&
    isLonger(candles.close(first) - candles.close(second), candles.body(first) * candles.number(0)) &&
    candles.isLong(first)
  return fires ? -100 : 0
}
