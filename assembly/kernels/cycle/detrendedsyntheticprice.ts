import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { medianPrices } from '../../parts/candles/median-price'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Detrended Synthetic Price: the exponential average of (high + low) / 2 over a quarter of the period minus that over a
 * half.
 * Quarter and half are rounded, at least 2 and 3; each average is seeded with a mean (pandas-ta uses another formula).
 * Source: Ehlers, MESA and Trading Market Cycles (2002); QuanTAlib dsp.
 */
export function detrendedsyntheticprice(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const quarter = max(2, (frame.integer(0) + 2) / 4)
  const half = max(3, (frame.integer(0) + 1) / 2)
  const prices = frame.scratch(0).from(-from)
  const slow = frame.scratch(1).from(-from)
  medianPrices(frame.input(0), frame.input(1), prices, from, to)
  exponentialAverage(prices, 0, out, from, to, quarter, weightOf(quarter), frame.state)
  exponentialAverage(prices, 0, slow, from, to, half, weightOf(half), frame.state.from(exponentialState))
  for (let i = from; i < to; i++) out[i] -= slow[i]
  warmup(out, from, to, half - 1)
}
