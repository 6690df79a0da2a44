import { Frame } from '../../frame'
import { copy } from '../../parts/numbers/copy'

/**
 * Candles: the last `period` candles.
 * The period is the number of returned candles if the caller gives no `results`; it changes no value.
 * Source: by definition.
 */
export function candles(frame: Frame, from: i32, to: i32): void {
  for (let k = 0; k < 5; k++) copy(frame.input(k), frame.output(k), from, to)
}
