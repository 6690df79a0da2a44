import { Frame } from '../../frame'
import { Cycle } from '../../parts/averages/hilbert'

/**
 * Hilbert Transform – Dominant Cycle Period: the length in candles of the strongest cycle in the source, between 6 and
 * 50, from the angle by which its in-phase and quadrature components turn.
 * TA-Lib's start: measured from candle 12 on, zero before, printed from candle 32 on.
 * Source: Ehlers, Rocket Science for Traders (2001), chapter 7; TA-Lib 0.6 HT_DCPERIOD.
 */
export function ht_dcperiod(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const cycle = Cycle.of(frame.state)
  if (from === 0) cycle.reset()
  for (let i = from; i < to; i++) {
    if (i >= Cycle.start) cycle.step(x, i)
    out[i] = i < 32 ? NaN : cycle.smoothPeriod
  }
}
