import { Frame } from '../../frame'
import { structureBreaks } from '../../parts/swings/structure-breaks'
import { changeOfCharacter } from '../../parts/swings/swings'

/**
 * Change of Character: the first candle beyond the last confirmed swing against the trend, which turns the trend.
 * Swings, breaks and trend are those of `bos`, where a candle may be a swing on both sides: the last swing high or low of `swingLeft` and `swingRight` candles is
 * broken once, by the first close beyond it or by the first wick with `breakOn` wick; a break in the direction of the
 * trend, or without one, is a break of structure; a break in the other direction is a change of character.
 * `value` is 100 above a swing high in a downtrend and −100 below a swing low in an uptrend, `level` the price of the
 * swing at that candle only.
 * Source: smart money concepts as in LuxAlgo's indicator of that name; swings confirmed, not drawn back.
 */
export function choch(frame: Frame, from: i32, to: i32): void {
  structureBreaks(frame, from, to, changeOfCharacter)
}
