import { Frame } from '../../frame'
import { weightedCloses } from '../../parts/candles/weighted-close'

/**
 * Weighted Close Price: the mean of high, low and twice the close.
 * Source: Tulip Indicators wcprice.
 */
export function wcprice(frame: Frame, from: i32, to: i32): void {
  weightedCloses(frame.input(0), frame.input(1), frame.input(2), frame.output(0), from, to)
}
