import { Frame } from '../../frame'
import { Cycle, Phase } from '../../parts/averages/hilbert'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Hilbert Transform – SineWave: the sine of the phase of the dominant cycle, and that of the phase an eighth of a cycle
 * later.
 * TA-Lib's start: measured from candle 37 on, zero before, printed from candle 63 on.
 * Source: Ehlers, Rocket Science for Traders (2001), chapter 9; TA-Lib 0.6 HT_SINE.
 */
export function ht_sine(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const sine = frame.output(0)
  const leadSine = frame.output(1)
  const cycle = Cycle.of(frame.state)
  const phase = Phase.of(frame.state.from(Cycle.size))
  if (from === 0) {
    cycle.reset()
    phase.reset()
  }
  warmup(sine, from, to, 63)
  warmup(leadSine, from, to, 63)
  const diagonal = Math.sqrt(0.5)
  for (let i = max(from, Cycle.lateStart); i < to; i++) {
    cycle.step(x, i)
    phase.step(cycle, i)
    if (i >= 63) {
      NativeMath.sincos(phase.degrees * (Math.PI / 180))
      sine[i] = NativeMath.sincos_sin
      leadSine[i] = (NativeMath.sincos_sin + NativeMath.sincos_cos) * diagonal
    }
  }
}
