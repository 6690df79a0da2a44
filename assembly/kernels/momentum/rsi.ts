import { Frame } from '../../frame'
import { relativeStrength } from '../../parts/shared/rsi'

/**
 * Relative Strength Index: 100·G / (G + L), where G and L are the Wilder-smoothed gains and losses of the source.
 * Seeded with the mean of the first `period` changes; 50 where there was neither gain nor loss.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib 0.8.3 RSI.
 */
export function rsi(frame: Frame, from: i32, to: i32): void {
  relativeStrength(frame.input(0), frame.output(0), from, to, frame.integer(0), frame.state)
}
