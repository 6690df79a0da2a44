import { Column } from '../frame'

/**
 * Ehlers' measurement of the dominant cycle, as TA-Lib 0.6 takes it: prices smoothed over four candles are
 * transformed into two components a quarter of a cycle apart; the angle by which they turn from candle to candle
 * is the frequency. A view of the kernel's state.
 *
 *   number 0   wave period    number 2   in-phase        number 4   real part
 *          1   its smoothing         3   quadrature             5   imaginary part
 *          6   4 × 8 numbers: the latest eight values of smoothed price, detrender, quadrature and in-phase
 *              component, that of candle i in place i mod 8
 */
@unmanaged
export class Cycle {
  /** The period of the dominant cycle in candles, before its last smoothing. */
  period: f64
  /** The period of the dominant cycle in candles. */
  smoothPeriod: f64
  private inPhase: f64
  private quadrature: f64
  private real: f64
  private imaginary: f64

  /** The numbers that a cycle takes in the state. */
  static readonly size: i32 = 38
  /** The first candle that is measured: TA-Lib lets the smoothing of the price run in before. */
  static readonly start: i32 = 12

  @inline
  static of(state: Column): Cycle {
    return changetype<Cycle>(state)
  }

  /** Forgets everything: what comes before the first candle is zero. */
  reset(): void {
    memory.fill(changetype<usize>(this), 0, (<usize>Cycle.size) << 3)
  }

  /** Takes in candle `i` of `price`; `i` grows by one from call to call. */
  step(price: Column, i: i32): void {
    const rings = changetype<Column>(this).from(6)
    const detrenders = rings.from(8)
    const smooth = 0.4 * price[i] + 0.3 * price[i - 1] + 0.2 * price[i - 2] + 0.1 * price[i - 3]
    const gain = 0.075 * this.period + 0.54
    const detrender = transform(rings, i, smooth, gain)
    const q1 = transform(detrenders, i, detrender, gain)
    const i1 = detrenders[(i - 3) & 7]
    const jI = transform(rings.from(24), i, i1, gain)
    const jQ = transform(rings.from(16), i, q1, gain)
    const quadrature = 0.2 * (q1 + jI) + 0.8 * this.quadrature
    const inPhase = 0.2 * (i1 - jQ) + 0.8 * this.inPhase
    const real = 0.2 * (inPhase * this.inPhase + quadrature * this.quadrature) + 0.8 * this.real
    const imaginary = 0.2 * (inPhase * this.quadrature - quadrature * this.inPhase) + 0.8 * this.imaginary
    this.inPhase = inPhase
    this.quadrature = quadrature
    this.real = real
    this.imaginary = imaginary
    const before = this.period
    let period = before
    if (real !== 0 && imaginary !== 0) {
      const wave = (2 * Math.PI) / Math.atan(imaginary / real)
      // Prices whose squares overflow give no angle: the cycle goes on as it was.
      if (!Number.isNaN(wave)) period = wave
    }
    if (period > 1.5 * before) period = 1.5 * before
    if (period < 0.67 * before) period = 0.67 * before
    if (period < 6) period = 6
    if (period > 50) period = 50
    this.period = 0.2 * period + 0.8 * before
    this.smoothPeriod = 0.33 * this.period + 0.67 * this.smoothPeriod
  }
}

/** Ehlers' Hilbert transform of the values kept in `ring`, of which `x` is the newest: its phase is a quarter cycle later. */
function transform(ring: Column, i: i32, x: f64, gain: f64): f64 {
  ring[i & 7] = x
  return (0.0962 * (x - ring[(i - 6) & 7]) + 0.5769 * (ring[(i - 2) & 7] - ring[(i - 4) & 7])) * gain
}
