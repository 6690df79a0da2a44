import { Frame } from '../../frame'
import { warmup } from '../numbers/warmup'
import { Swings } from './swings'

/**
 * The breaks of one kind (`breakOfStructure` or `changeOfCharacter`): 100 above a swing high, −100 below a swing low,
 * with the price of the swing at that candle only.
 * Inputs: high, low, close. Parameters: swingLeft, swingRight, breakOn (0 close, 1 wick). State: Swings.
 */
export function structureBreaks(frame: Frame, from: i32, to: i32, kind: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const value = frame.output(0)
  const level = frame.output(1)
  const left = frame.integer(0)
  const right = frame.integer(1)
  const isWick = frame.integer(2) === 1
  const swings = Swings.of(frame.state)
  if (from === 0) swings.reset()
  warmup(level, from, to, left + right)
  for (let i = warmup(value, from, to, left + right); i < to; i++) {
    swings.confirm(high, low, i, left, right)
    const event = swings.advance(isWick ? high[i] : close[i], isWick ? low[i] : close[i])
    const isOfKind = abs(event) === kind
    value[i] = isOfKind ? (event > 0 ? 100 : -100) : 0
    level[i] = isOfKind ? (event > 0 ? swings.high : swings.low) : NaN
  }
}
