import { Frame } from '../../frame'
import { isRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { unitOf } from '../../parts/windows/short-deviation'

/**
 * Mesa Sine Wave: the sine of the phase of the wave that fits `period` candles once, and that of the phase an eighth of
 * a cycle later; both are 0 where the window is flat.
 * Tulip cuts π to 3.1415926, which moves the values by some 1e-7, and treats real parts up to 0.001 as 0, so prices of
 * a few thousandths have the wave of a flat market.
 * Source: Ehlers, MESA and Trading Market Cycles (2002).
 */
export function msw(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const sine = frame.output(0)
  const lead = frame.output(1)
  const period = frame.integer(0)
  warmup(sine, from, to, period)
  let i = warmup(lead, from, to, period)
  if (i >= to) return

  // Sums of price times wave by blocks of `period` candles, as the moving sums: one block later the wave has the same
  // phase. Prices are differences from one inside the window.
  const waves = frame.scratch(0)
  const suffixes = frame.scratch(1)
  const step = (2 * Math.PI) / <f64>period
  for (let k = 0; k < period; k++) {
    waves[2 * k] = Math.cos(step * <f64>k)
    waves[2 * k + 1] = Math.sin(step * <f64>k)
  }
  let block = i - (i % period)
  let oldest = i - period + 1
  while (i < to) {
    const centre = x[block]
    const unit = unitOf(centre)
    const scale = 1 / unit
    let sum = f64x2.splat(0)
    suffixes.setPair(2 * period, sum)
    for (let j = block - 1; j >= oldest; j--) {
      const k = 2 * (j - block + period)
      sum = f64x2.add(sum, f64x2.mul(f64x2.splat((x[j] - centre) * scale), waves.pair(k)))
      suffixes.setPair(k, sum)
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
      // Rotated back by the angle of the newest candle, because the phase is counted from it, in the opposite
      // direction.
      const cosines = f64x2.extract_lane(whole, 0)
      const sines = f64x2.extract_lane(whole, 1)
      const cosine = f64x2.extract_lane(wave, 0)
      const sineNow = f64x2.extract_lane(wave, 1)
      const real = cosines * cosine + sines * sineNow
      const imaginary = cosines * sineNow - sines * cosine
      // The phase is the angle of the two and a quarter of a cycle, so its sine is the share of the real part.
      const size = sqrt(real * real + imaginary * imaginary)
      const isFlat = isRounding(size, x[i] * scale)
      sine[i] = isFlat ? 0 : real / size
      lead[i] = isFlat ? 0 : ((real - imaginary) / size) * Math.SQRT1_2
    }
    oldest = block + 1
    block += period
  }
}
