import { Frame } from '../../frame'
import { unitOf } from '../../parts/deviation'
import { warmup } from '../../parts/warmup'

/**
 * Mesa Sine Wave: the sine of the phase of the wave that fits `period` candles once, and that of the phase an eighth of
 * a cycle later.
 * The phase holds for prices of any size (Tulip cuts π after seven digits and takes real parts below 0.001 for zero);
 * no value where the window is flat.
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

  // A wave that fits the window once is the same in each block of `period` candles: the sums of price times wave are
  // moving sums by blocks. Prices are counted from one inside the window, which a whole wave does not see.
  const waves = frame.scratch(0)
  const suffixes = frame.scratch(1)
  const step = (2 * Math.PI) / <f64>period
  for (let k = 0; k < period; k++) {
    waves[2 * k] = Math.cos(step * <f64>k)
    waves[2 * k + 1] = Math.sin(step * <f64>k)
  }
  const diagonal = Math.sqrt(0.5)
  let block = i - (i % period)
  let oldest = i - period + 1
  while (i < to) {
    const centre = x[block]
    const scale = 1 / unitOf(centre)
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
      // Turned back by the angle of the newest candle, from which the phase is counted.
      const cosines = f64x2.extract_lane(whole, 0)
      const sines = f64x2.extract_lane(whole, 1)
      const cosine = f64x2.extract_lane(wave, 0)
      const sineNow = f64x2.extract_lane(wave, 1)
      const real = cosines * cosine + sines * sineNow
      const imaginary = cosines * sineNow - sines * cosine
      const share = 1 / sqrt(real * real + imaginary * imaginary)
      sine[i] = real * share
      lead[i] = (real - imaginary) * share * diagonal
    }
    oldest = block + 1
    block += period
  }
}
