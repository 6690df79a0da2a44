import { Column, Frame } from '../../frame'
import { CandlePairs, hundred, signedHundred } from '../numbers/simd'
import { areLonger, areShorter } from '../numbers/tie'
import { warmup } from '../numbers/warmup'

/**
 * Rules of `bodiesWithShadows`: the shadow of a long candle that must be very short, or the size of a candle with short
 * shadows.
 */
export const openingShadow: i32 = 0
export const closingShadow: i32 = 1
export const bothShadows: i32 = 2
export const longWithShortShadows: i32 = 3
export const smallWithShortShadows: i32 = 4

/** Patterns of one candle. Methods, because only they may be inlined where the constants are known. */
export class SingleCandles {
  /** Single candles judged by their body and shadows: 100 where a white one fits `rule`, −100 where a black one does. */
  @inline
  static bodiesWithShadows(frame: Frame, from: i32, to: i32, rule: i32): void {
    const candles = CandlePairs.of(frame)
    const out = frame.output(0)
    const bodies = frame.scratch(0)
    const ranges = frame.scratch(1)
    const start = warmup(out, from, to, 10)
    candles.sumBodies(bodies, start, to)
    candles.sumRanges(ranges, start, to)
    const after = out[to]
    for (let i = start; i < to; i += 2) {
      const size = rule === smallWithShortShadows ? candles.isSmall(i, bodies) : candles.isLong(i, bodies)
      out.setPair(
        i,
        signedHundred(
          v128.and(size, SingleCandles.shadowsFit(candles, i, bodies, ranges, rule)),
          candles.sign(i),
        ),
      )
    }
    out[to] = after
  }

  @inline
  static shadowsFit(candles: CandlePairs, i: i32, bodies: Column, ranges: Column, rule: i32): v128 {
    if (rule >= longWithShortShadows) return candles.hasShortShadows(i, bodies, ranges)
    const shadow =
      rule === openingShadow
        ? candles.openingShadow(i)
        : rule === closingShadow
          ? candles.closingShadow(i)
          : candles.longerShadow(i)
    return areShorter(shadow, candles.veryShort(i, ranges))
  }

  /** Dojis with one very short and one longer shadow: 100 where the longer one is below the body (`isLower`) or above it. */
  @inline
  static oneSidedDojis(frame: Frame, from: i32, to: i32, isLower: bool): void {
    const candles = CandlePairs.of(frame)
    const out = frame.output(0)
    const ranges = frame.scratch(0)
    const start = warmup(out, from, to, 10)
    candles.sumRanges(ranges, start, to)
    const after = out[to]
    for (let i = start; i < to; i += 2) {
      const veryShort = candles.veryShort(i, ranges)
      const upper = candles.upperShadow(i)
      const lower = candles.lowerShadow(i)
      const isShaven = areShorter(isLower ? upper : lower, veryShort)
      const hasShadow = areLonger(isLower ? lower : upper, veryShort)
      out.setPair(i, hundred(v128.and(candles.isDoji(i, ranges), v128.and(isShaven, hasShadow))))
    }
    out[to] = after
  }
}
