import { Frame } from '../../frame'
import { copy } from '../../parts/numbers/copy'

/**
 * Price: the value itself, the close by default.
 * Source: by definition.
 */
export function price(frame: Frame, from: i32, to: i32): void {
  copy(frame.input(0), frame.output(0), from, to)
}
