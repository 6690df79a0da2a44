import { Frame } from '../../frame'
import { collapses } from '../../parts/candles/candle-sequences'
import { Candles } from '../../parts/candles/candle-shape'
import { RareSignals } from '../../parts/candles/rare-signals'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Three Black Crows: −100 where a white candle is followed by three black ones with very short lower shadows,
 * each opening inside the body before and closing lower; the first of them closes below the high of the white one. The
 * trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDL3BLACKCROWS.
 */
export function _3blackcrows(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const pairs = CandlePairs.of(frame)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 13); i < to; i += 2) {
    // Opens inside the previous body are rare among black candles: the other conditions are checked only there.
    const possible = v128.and(
      pairs.areBlack(i, 3),
      v128.and(pairs.bodyContains(i - 2, pairs.open(i - 1)), pairs.bodyContains(i - 1, pairs.open(i))),
    )
    RareSignals.write(candles, out, i, to, possible, signalAt)
  }
  out[to] = after
}

function signalAt(candles: Candles, i: i32): f64 {
  const white = i - 3
  const first = i - 2
  const second = i - 1
  const third = i
  const fires =
    candles.isWhite(white) &&
    candles.close(first) < candles.high(white) &&
    candles.bodyContains(first, candles.open(second)) &&
    candles.bodyContains(second, candles.open(third)) &&
    collapses(candles, third)
  return fires ? -100 : 0
}
