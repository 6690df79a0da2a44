import { Frame } from '../../frame'
import { CandlePairs } from '../numbers/simd'
import { isLonger } from '../numbers/tie'
import { warmup } from '../numbers/warmup'
import { Candles } from './candle-shape'
import { RareSignals } from './rare-signals'

/**
 * Evening stars (−100): a long white candle, then one whose body lies above its body, short or a doji, then a black candle,
 * longer than short, that closes deeper than `penetration` (parameter 0) bodies inside the first. Morning stars (100) are
 * their mirror. Methods, because only they may be inlined where the constants are known.
 */
export class Stars {
  /** Writes the signals. A gap between bodies is rare: the other conditions are checked only where there is one. */
  @inline
  static write(
    frame: Frame,
    from: i32,
    to: i32,
    isEvening: bool,
    signalAt: (candles: Candles, i: i32) => f64,
  ): void {
    const candles = Candles.of(frame)
    const pairs = CandlePairs.of(frame)
    const out = frame.output(0)
    const after = out[to]
    for (let i = warmup(out, from, to, 12); i < to; i += 2) {
      const possible = isEvening ? pairs.bodyGapsUp(i - 2, i - 1) : pairs.bodyGapsDown(i - 2, i - 1)
      RareSignals.write(candles, out, i, to, possible, signalAt)
    }
    out[to] = after
  }

  @inline
  static signalAt(candles: Candles, i: i32, isEvening: bool, isDoji: bool): f64 {
    const first = i - 2
    const star = i - 1
    const third = i
    const depth = candles.body(first) * candles.number(0)
    const turns = isEvening
      ? candles.isWhite(first) &&
        candles.isBlack(third) &&
        candles.bodyGapsUp(first, star) &&
        isLonger(candles.close(first) - candles.close(third), depth)
      : candles.isBlack(first) &&
        candles.isWhite(third) &&
        candles.bodyGapsDown(first, star) &&
        isLonger(candles.close(third) - candles.close(first), depth)
    const fires =
      turns &&
      candles.isLong(first) &&
      (isDoji ? candles.isDoji(star) : candles.isShort(star)) &&
      candles.isLong(third)
    return fires ? (isEvening ? -100 : 100) : 0
  }
}
