import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { awesomeOscillator } from '../../parts/shared/awesome'

/**
 * Awesome Oscillator: the mean of the median prices (high + low) / 2 of 5 candles minus that of 34 candles.
 * Source: Williams, New Trading Dimensions (1998); Tulip ao.
 */
export function ao(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const first = warmup(out, from, to, 33)
  awesomeOscillator(frame.input(0), frame.input(1), out, first, to, 5, 34, frame.scratch(0), frame.scratch(1))
}
