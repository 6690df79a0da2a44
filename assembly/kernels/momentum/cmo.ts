import { Frame } from '../../frame'
import { relativeStrength } from '../../parts/shared/rsi'

/**
 * Chande Momentum Oscillator: 100·(G − L) / (G + L), where G and L are the gains and losses of the source.
 * Gains and losses are Wilder-smoothed, seeded with the mean of the first `period` changes (Chande, Tulip and
 * TradingView sum them over `period` candles; the two never converge); 0 where there was neither gain nor loss.
 * Source: Chande and Kroll, The New Technical Trader (1994); TA-Lib 0.6 CMO.
 */
export function cmo(frame: Frame, from: i32, to: i32): void {
  relativeStrength(frame.input(0), frame.output(0), from, to, frame.integer(0), frame.state, true)
}
