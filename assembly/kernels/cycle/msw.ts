import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { unitOf } from '../../parts/windows/short-deviation'

/**
 * Mesa Sine Wave: the sine of the phase of the wave that fits `period` candles once, and that of the phase an eighth of
 * a cycle later.
 * As Tulip has it, with π cut to 3.1415926 and real parts up to 0.001 taken for none, so prices of a few thousandths give
 * the wave of a market that stands still.
 * Source: Ehlers, MESA and Trading Market Cycles (2002); Tulip Indicators msw.
 */
export function msw(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const sine = frame.output(0)
  const lead = frame.output(1)
  const period = frame.integer(0)
  warmup(sine, from, to, period)
  let i = warmup(lead, from, to, period)
  if (i >= to) return

  // Sums of price times wave by blocks of `period` candles, as the moving sums: what an older block adds is turned back
  // by a whole wave, which with the short π is not quite where it began. Prices are counted from one inside the window.
  const waves = frame.scratch(0)
  const suffixes = frame.scratch(1)
  const step = (2 * pi) / <f64>period
  let constant = f64x2.splat(0)
  for (let k = 0; k < period; k++) {
    waves[2 * k] = Math.cos(step * <f64>k)
    waves[2 * k + 1] = Math.sin(step * <f64>k)
    constant = f64x2.add(constant, waves.pair(k << 1))
  }
  const cosineTurn = Math.cos(2 * pi)
  const sineTurn = Math.sin(2 * pi)
  let block = i - (i % period)
  let oldest = i - period + 1
  while (i < to) {
    const centre = x[block]
    const unit = unitOf(centre)
    const scale = 1 / unit
    const level = f64x2.mul(f64x2.splat(centre * scale), constant)
    let sum = f64x2.splat(0)
    suffixes.setPair(2 * period, sum)
    for (let j = block - 1; j >= oldest; j--) {
      const k = 2 * (j - block + period)
      sum = f64x2.add(sum, f64x2.mul(f64x2.splat((x[j] - centre) * scale), waves.pair(k)))
      suffixes.setPair(k, turned(sum, cosineTurn, -sineTurn))
    }
    sum = f64x2.splat(0)
    for (let j = block; j < i; j++) {
      sum = f64x2.add(sum, f64x2.mul(f64x2.splat((x[j] - centre) * scale), waves.pair(2 * (j - block))))
    }
    for (const end = min(block + period, to); i < end; i++) {
      const k = 2 * (i - block)
      const wave = waves.pair(k)
      sum = f64x2.add(sum, f64x2.mul(f64x2.splat((x[i] - centre) * scale), wave))
      const whole = f64x2.add(sum, suffixes.pair(k + 2))
      // Turned back by the angle of the newest candle, from which the phase is counted, in the other direction.
      const cosines = f64x2.extract_lane(whole, 0)
      const sines = f64x2.extract_lane(whole, 1)
      const cosine = f64x2.extract_lane(wave, 0)
      const sineNow = f64x2.extract_lane(wave, 1)
      const real = cosines * cosine + sines * sineNow + f64x2.extract_lane(level, 0)
      const imaginary = cosines * sineNow - sines * cosine + f64x2.extract_lane(level, 1)
      const phase = phaseOf(real, imaginary, unit)
      sine[i] = Math.sin(phase)
      lead[i] = Math.sin(phase + pi / 4)
    }
    oldest = block + 1
    block += period
  }
}

/** π as Tulip has it. */
// biome-ignore lint/suspicious/noApproximativeNumericConstant: the digits that Tulip leaves out make a difference
const pi: f64 = 3.1415926

/** A point of the plane turned by the angle of which cosine and sine are given. */
function turned(point: v128, cosine: f64, sine: f64): v128 {
  const across = f64x2.mul(i64x2.shuffle(point, point, 1, 0), f64x2.splat(sine))
  const along = f64x2.mul(point, f64x2.splat(cosine))
  return f64x2(
    f64x2.extract_lane(along, 0) - f64x2.extract_lane(across, 0),
    f64x2.extract_lane(along, 1) + f64x2.extract_lane(across, 1),
  )
}

/** The phase of a wave whose parts are in units of `unit`, from 0 to 2π. */
function phaseOf(real: f64, imaginary: f64, unit: f64): f64 {
  let phase =
    abs(real) * unit > 0.001 ? Math.atan(imaginary / real) : imaginary < 0 ? -pi : imaginary >= 0 ? pi : NaN
  if (real < 0) phase += pi
  phase += pi / 2
  if (phase < 0) phase += 2 * pi
  if (phase > 2 * pi) phase -= 2 * pi
  return phase
}
