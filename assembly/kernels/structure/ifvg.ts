import { Frame } from '../../frame'
import { fairValueGaps } from '../../parts/swings/fair-value-gaps'

/**
 * Inverse Fair Value Gap: a fair value gap (see fvg, with the same `minGapATR` and `atrPeriod`) that failed. When a
 * candle after the third closes beyond its far side, the gap turns into a zone of the opposite kind: a bullish gap with
 * a close below its bottom sets `value` to −100, a bearish one with a close above its top sets it to 100, at that
 * candle. If one close passes several gaps, all of them turn over, and the newest sets the value.
 * The zone has the bounds of the gap and is valid until a later close beyond its own far side: above the top of a
 * bearish zone, below the bottom of a bullish one. `top` and `bottom` are those of the zone that turned over last and
 * is still valid. The newest 16 gaps and the newest 16 zones are watched; wicks have no effect.
 * Source: the concepts of the Inner Circle Trader (Huddleston), as charting platforms have them (Inversion Fair Value
 * Gaps by LuxAlgo, without its threshold and its second signal when the zone is tested).
 */
export function ifvg(frame: Frame, from: i32, to: i32): void {
  fairValueGaps(frame, from, to, true)
}
