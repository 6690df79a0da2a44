import { Frame } from '../../frame'
import { pivotLadder } from '../../parts/shared/pivot-ladder'

/**
 * Traditional Pivot Points: P = (H + L + C) / 3 of the previous span of the calendar, R1 = 2P − L, S1 = 2P − H,
 * R2 = P + (H − L), S2 = P − (H − L), and for k from 3 to 5 Rk = (k − 1)·P + H − (k − 1)·L, Sk = (k − 1)·P − (k − 1)·H
 * + L. Spans are UTC days, weeks from Monday, or months; those without candles are skipped. The first span counts even
 * if its beginning is missing.
 * Source: TradingView's Pivot Points Standard.
 */
export function pivotstraditional(frame: Frame, from: i32, to: i32): void {
  pivotLadder(frame, from, to, 5, false)
}
