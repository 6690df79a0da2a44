import { Frame } from '../../frame'
import { Cycle, Phase } from '../../parts/averages/hilbert'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Hilbert Transform – Dominant Cycle Phase: the phase of the source in its dominant cycle, from −45 to 315 degrees.
 * TA-Lib's start: measured from candle 37 on, zero before, printed from candle 63 on.
 * Source: Ehlers, Rocket Science for Traders (2001), chapter 9; TA-Lib 0.6 HT_DCPHASE.
 */
export function ht_dcphase(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const cycle = Cycle.of(frame.state)
  const phase = Phase.of(frame.state.from(Cycle.size))
  if (from === 0) {
    cycle.reset()
    phase.reset()
  }
  warmup(out, from, to, 63)
  for (let i = max(from, Cycle.lateStart); i < to; i++) {
    cycle.step(x, i)
    phase.step(cycle, i)
    if (i >= 63) out[i] = phase.degrees
  }
}
