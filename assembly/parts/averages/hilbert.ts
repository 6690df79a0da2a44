import { Column } from '../../frame'

/**
 * Ehlers' measurement of the dominant cycle, as in TA-Lib 0.6: prices smoothed over four candles are transformed into
 * two components a quarter of a cycle apart; the angle by which they turn from candle to candle
 * is the frequency. A view of the kernel's state.
 *
 *   number 0   wave period    number 2   smooth in-phase    number 4   real part
 *          1   its smoothing         3   smooth quadrature      5   imaginary part
 *          6   4 × 8 numbers: the latest eight values of smoothed price, detrender, quadrature and in-phase
 *              component, that of candle i in place i mod 8
 */
@unmanaged
export class Cycle {
  /** The period of the dominant cycle in candles, before its last smoothing. */
  period: f64
  /** The period of the dominant cycle in candles. */
  smoothPeriod: f64
  private smoothInPhase: f64
  private smoothQuadrature: f64
  private real: f64
  private imaginary: f64

  /** Size of a cycle in the state, in numbers. */
  static readonly size: i32 = 6 + 4 * 8
  /** The first candle that is measured: TA-Lib starts the smoothing of the price before. */
  static readonly start: i32 = 12
  /** The first measured candle for kernels that also need a phase or a trend. */
  static readonly lateStart: i32 = 37

  @inline
  static of(state: Column): Cycle {
    return changetype<Cycle>(state)
  }

  /** Sets everything to zero, as before the first candle. */
  reset(): void {
    memory.fill(changetype<usize>(this), 0, (<usize>Cycle.size) << 3)
  }

  /** The smoothed price of candle `i`, the newest one added. */
  @inline
  price(i: i32): f64 {
    return changetype<Column>(this)[6 + (i & 7)]
  }

  /** The in-phase component of candle `i`, the newest one added. */
  @inline
  inPhase(i: i32): f64 {
    return changetype<Column>(this)[14 + ((i - 3) & 7)]
  }

  /** The quadrature component of candle `i`, the newest one added. */
  @inline
  quadrature(i: i32): f64 {
    return changetype<Column>(this)[22 + (i & 7)]
  }

  /** Adds candle `i` of `price`; `i` grows by one from call to call. */
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
    const quadrature = 0.2 * (q1 + jI) + 0.8 * this.smoothQuadrature
    const inPhase = 0.2 * (i1 - jQ) + 0.8 * this.smoothInPhase
    const real = 0.2 * (inPhase * this.smoothInPhase + quadrature * this.smoothQuadrature) + 0.8 * this.real
    const imaginary =
      0.2 * (inPhase * this.smoothQuadrature - quadrature * this.smoothInPhase) + 0.8 * this.imaginary
    this.smoothInPhase = inPhase
    this.smoothQuadrature = quadrature
    this.real = real
    this.imaginary = imaginary
    const before = this.period
    let period = before
    if (real !== 0 && imaginary !== 0) {
      const wave = (2 * Math.PI) / angle(imaginary, real)
      // Prices whose squares overflow have no angle, so the cycle continues unchanged.
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

/**
 * The phase of the dominant cycle in degrees, from −45 to 315: the angle of the smoothed prices of one whole cycle, as
 * in TA-Lib 0.6. A view of the kernel's state behind that of the cycle.
 *
 *   number 0   phase
 *          1   candles of the cycle in whole numbers, and the cosine and sine of the angle between two of them
 *          4   the latest 64 smoothed prices, that of candle i in place i mod 64
 */
@unmanaged
export class Phase {
  degrees: f64
  private length: f64
  private cosine: f64
  private sine: f64

  /** Size of a phase in the state, in numbers. */
  static readonly size: i32 = 4 + 64

  @inline
  static of(state: Column): Phase {
    return changetype<Phase>(state)
  }

  /** Sets the initial state: smoothed prices before the first candle are zero. */
  reset(): void {
    memory.fill(changetype<usize>(this), 0, (<usize>Phase.size) << 3)
  }

  /** Adds candle `i`, after `cycle` has added it. */
  step(cycle: Cycle, i: i32): void {
    const ring = changetype<Column>(this).from(4)
    ring[i & 63] = cycle.price(i)
    const length = Math.floor(cycle.smoothPeriod + 0.5)
    if (length !== this.length) {
      this.length = length
      NativeMath.sincos(length > 0 ? (2 * Math.PI) / length : 0)
      this.cosine = NativeMath.sincos_cos
      this.sine = NativeMath.sincos_sin
    }
    // Two chains of rotations, one for even and one for odd distances, that do not wait for each other.
    const cosine = this.cosine
    const sine = this.sine
    const twice = 2 * sine * cosine
    const along = f64x2.splat(1 - 2 * sine * sine)
    const across = f64x2.replace_lane(f64x2.splat(twice), 0, -twice)
    let even = f64x2.replace_lane(f64x2.splat(0), 0, 1)
    let odd = f64x2.replace_lane(f64x2.splat(sine), 0, cosine)
    let evens = f64x2.splat(0)
    let odds = f64x2.splat(0)
    const count = <i32>length
    for (let k = 0; k < count; k += 2) {
      evens = f64x2.add(evens, f64x2.mul(even, f64x2.splat(ring[(i - k) & 63])))
      if (k + 1 === count) break
      odds = f64x2.add(odds, f64x2.mul(odd, f64x2.splat(ring[(i - k - 1) & 63])))
      even = rotated(even, along, across)
      odd = rotated(odd, along, across)
    }
    const sums = f64x2.add(evens, odds)
    const imaginary = f64x2.extract_lane(sums, 0)
    const real = f64x2.extract_lane(sums, 1)

    let degrees = this.degrees
    if (imaginary !== 0) degrees = Math.atan(real / imaginary) * (180 / Math.PI)
    else if (real < 0) degrees -= 90
    else if (real > 0) degrees += 90
    // The smoothing of the price lags by one candle.
    degrees += 90 + 360 / cycle.smoothPeriod
    if (imaginary < 0) degrees += 180
    if (degrees > 315) degrees -= 360
    this.degrees = degrees
  }
}

function rotated(point: v128, along: v128, across: v128): v128 {
  const turned = v128.shuffle<f64>(point, point, 1, 0)
  return f64x2.add(f64x2.mul(point, along), f64x2.mul(turned, across))
}

/**
 * Ehlers' instantaneous trend: the mean price of one dominant cycle, smoothed with the weights 4, 3, 2 and 1. A view of
 * the kernel's state: the latest three means.
 */
@unmanaged
export class Trend {
  private last: f64
  private second: f64
  private third: f64

  /** Size of a trend in the state, in numbers. */
  static readonly size: i32 = 3

  @inline
  static of(state: Column): Trend {
    return changetype<Trend>(state)
  }

  /** Sets the initial state: means before the first candle are zero. */
  reset(): void {
    this.last = 0
    this.second = 0
    this.third = 0
  }

  /** Adds candle `i` of `price`, after `cycle` has added it, and returns the trend. */
  step(cycle: Cycle, price: Column, i: i32): f64 {
    const count = <i32>(cycle.smoothPeriod + 0.5)
    let pairs = f64x2.splat(0)
    let j = i - 1
    for (const end = i - count; j > end; j -= 2) pairs = f64x2.add(pairs, price.pair(j))
    let mean = f64x2.extract_lane(pairs, 0) + f64x2.extract_lane(pairs, 1)
    if (count & 1) mean += price[i - count + 1]
    if (count > 0) mean /= <f64>count
    const trend = (4 * mean + 3 * this.last + 2 * this.second + this.third) / 10
    this.third = this.second
    this.second = this.last
    this.last = mean
    return trend
  }
}

/** Ehlers' Hilbert transform of the values in `ring`, of which `x` is the newest: its phase is a quarter cycle later. */
function transform(ring: Column, i: i32, x: f64, gain: f64): f64 {
  ring[i & 7] = x
  return (0.0962 * (x - ring[(i - 6) & 7]) + 0.5769 * (ring[(i - 2) & 7] - ring[(i - 4) & 7])) * gain
}

/**
 * The arctangent of y / x, by the method of FreeBSD's msun (s_atan.c), off by less than two units of the last digit. Each
 * cycle waits for the angle of the previous one. So there is one division, which also moves the quotient into the range of
 * the polynomial, and the terms of the polynomial are summed in pairs.
 */
function angle(y: f64, x: f64): f64 {
  const a = Math.abs(y)
  const b = Math.abs(x)
  let t: f64
  let high: f64 = 0
  if (a < 0.4375 * b) t = a / b
  else if (a < 0.6875 * b) {
    t = (2 * a - b) / (2 * b + a)
    high = 4.63647609000806093515e-1
  } else if (a < 1.1875 * b) {
    t = (a - b) / (a + b)
    high = 7.85398163397448278999e-1
  } else if (a < 2.4375 * b) {
    t = (a - 1.5 * b) / (b + 1.5 * a)
    high = 9.82793723247329054082e-1
  } else {
    t = -b / a
    high = 1.570796326794896558
  }
  const z = t * t
  const w = z * z
  const w2 = w * w
  const w4 = w2 * w2
  const even =
    3.33333333333329318027e-1 +
    w * 1.42857142725034663711e-1 +
    w2 * (9.09088713343650656196e-2 + w * 6.66107313738753120669e-2) +
    w4 * (4.97687799461593236017e-2 + w * 1.62858201153657823623e-2)
  const odd =
    -1.99999999998764832476e-1 +
    w * -1.1111110405462355788e-1 +
    w2 * (-7.69187620504482999495e-2 + w * -5.83357013379057348645e-2) +
    w4 * -3.6531572744216915527e-2
  const size = high + (t - t * z * (even + z * odd))
  return y < 0 !== x < 0 ? -size : size
}
