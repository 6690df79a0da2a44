import { Frame } from '../../frame'
import { copy } from '../../parts/numbers/copy'

/**
 * Candle: the candle itself.
 * Source: by definition.
 */
export function candle(frame: Frame, from: i32, to: i32): void {
  for (let k = 0; k < 5; k++) copy(frame.input(k), frame.output(k), from, to)
}
