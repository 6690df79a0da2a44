import { Frame } from '../../frame'
import { fairValueGaps } from '../../parts/swings/fair-value-gaps'

/**
 * Fair Value Gap: three candles with prices between the first and the third that only the second one traded. Bullish if
 * the low of the third is above the high of the first (`value` 100, top: that low, bottom: that high), bearish if the
 * high of the third is below the low of the first (−100, top: that low, bottom: that high). `value` is given at the
 * third candle. A gap counts if it is at least `minGapATR` times the ATR (`atrPeriod` candles) of the third candle
 * wide.
 * A gap is open until a later candle trades beyond its far side: a low below the bottom of a bullish gap, a high above
 * the top of a bearish one; touching it leaves it open. `top` and `bottom` are those of the newest open gap, `openGaps`
 * is the number of open gaps. The newest 16 are watched; gaps before the first value of the ATR do not count.
 * The direction of the second candle is not checked, as in most charts; some libraries also want its body to point the
 * same way, or end a gap at the first touch.
 * Source: the concepts of the Inner Circle Trader (Huddleston), as the libraries smartmoneyconcepts and PyIndicators
 * have them.
 */
export function fvg(frame: Frame, from: i32, to: i32): void {
  fairValueGaps(frame, from, to, false)
}
