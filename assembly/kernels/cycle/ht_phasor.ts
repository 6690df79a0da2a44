import { Frame } from '../../frame'
import { Cycle } from '../../parts/averages/hilbert'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Hilbert Transform – Phasor Components: the detrended source in phase with its dominant cycle, and the same a quarter
 * of a cycle apart.
 * TA-Lib's start: measured from candle 12 on, zero before, printed from candle 32 on.
 * Source: Ehlers, Rocket Science for Traders (2001), chapter 6; TA-Lib 0.6 HT_PHASOR.
 */
export function ht_phasor(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const inPhase = frame.output(0)
  const quadrature = frame.output(1)
  const cycle = Cycle.of(frame.state)
  if (from === 0) cycle.reset()
  warmup(inPhase, from, to, 32)
  warmup(quadrature, from, to, 32)
  for (let i = max(from, Cycle.start); i < to; i++) {
    cycle.step(x, i)
    if (i >= 32) {
      inPhase[i] = cycle.inPhase(i)
      quadrature[i] = cycle.quadrature(i)
    }
  }
}
