import { Frame } from '../../frame'
import { flex } from '../../parts/averages/flex'

/**
 * Trendflex: the mean difference between the newest value and the last `period` ones, smoothed over period / 2 candles,
 * divided by its own root mean square.
 * Half the period is not rounded (VectorTA rounds it down).
 * Source: Ehlers, Reflex: A New Zero-Lag Indicator, Stocks & Commodities (February 2020).
 */
export function trendflex(frame: Frame, from: i32, to: i32): void {
  flex(frame, from, to, false)
}
