import { Frame } from '../../frame'
import { flex } from '../../parts/averages/flex'

/**
 * Reflex: how far a straight line from the value `period` candles ago to the newest one lies above the values between them on average, smoothed
 * over period / 2 candles, by its own root mean square.
 * Half the period is not rounded (VectorTA rounds it down).
 * Source: Ehlers, Reflex: A New Zero-Lag Indicator, Stocks & Commodities (February 2020).
 */
export function reflex(frame: Frame, from: i32, to: i32): void {
  flex(frame, from, to, true)
}
