import { Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { balanceVolume } from '../../parts/shared/balance-volume'
import { movingMean } from '../../parts/windows/sums'

/**
 * Smoothed On Balance Volume: the mean of the on-balance volume over `period` candles.
 * The balance begins with the first candle's volume.
 * Source: Lean SmoothedOnBalanceVolume.
 */
export function sobv(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const tail = period - 1
  const balances = frame.scratch(0).from(tail - from)
  restoreOverlap(balances, from, tail, state.from(2), from === 0)
  balanceVolume(frame.input(0), frame.input(1), balances, from, to, state)
  saveOverlap(balances, to, tail, state.from(2))
  movingMean(balances, 0, out, warmup(out, from, to, tail), to, period, frame.scratch(1))
}
