import { Frame } from '../../frame'
import { structureBreaks } from '../../parts/swings/structure-breaks'
import { breakOfStructure } from '../../parts/swings/swings'

/**
 * Break of Structure: the first candle beyond the last confirmed swing in the direction of the trend.
 * Swings are found as in `swings` (swingLeft, swingRight) and count from their confirming candle on; a candle that is
 * both a high and a low counts on both sides. The last swing
 * high is broken by the first close above it, or the first high above it with `breakOn` wick; the last swing low by the
 * first close or low below it. Each swing is broken once, and a newer swing of its side replaces it. A break sets the
 * trend: up or down; it is a break of structure unless the trend was the opposite one (that is `choch`). So the first
 * break of all is a break of structure. A candle that breaks both swings is not, and ends the trend.
 * `value` is 100 above a swing high and −100 below a swing low, `level` the price of the swing at that candle only.
 * Source: smart money concepts as in LuxAlgo's indicator of that name; swings confirmed, not drawn back.
 */
export function bos(frame: Frame, from: i32, to: i32): void {
  structureBreaks(frame, from, to, breakOfStructure)
}
