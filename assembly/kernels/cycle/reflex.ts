import { Frame } from '../../frame'
import { flex } from '../../parts/averages/flex'

/**
 * Reflex: the mean distance of a straight line from the value `period` candles ago to the newest one above the values
 * between them, smoothed over period / 2 candles, divided by its own root mean square.
 * Half the period is not rounded (VectorTA rounds it down).
 * Source: Ehlers, Reflex: A New Zero-Lag Indicator, Stocks & Commodities (February 2020).
 */
export function reflex(frame: Frame, from: i32, to: i32): void {
  flex(frame, from, to, true)
}
