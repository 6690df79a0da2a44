import { Column } from '../../frame'

// biome-ignore-start lint/suspicious/noApproximativeNumericConstant: as Ehlers' publications round them
/** The root of two, and of a half. */
export const rootOfTwo: f64 = 1.414
export const rootOfHalf: f64 = 0.707
// biome-ignore-end lint/suspicious/noApproximativeNumericConstant: the end

/**
 * A linear filter of up to three poles: y = a0·x + a1·x[1] + a2·x[2] + a3·x[3] + b1·y[1] + b2·y[2] + b3·y[3], where [k] is
 * the value k candles before. Its coefficients and the last values are in `Filter.size` numbers of state, so the filter must
 * be fed every candle from the first one on.
 */
@final
@unmanaged
export class Filter {
  static readonly size: i32 = 13

  private a0: f64
  private a1: f64
  private a2: f64
  private a3: f64
  private b1: f64
  private b2: f64
  private b3: f64
  /** The inputs one and two candles before. */
  x1: f64
  x2: f64
  private x3: f64
  private y1: f64
  private y2: f64
  private y3: f64

  /** The filter whose numbers are at the beginning of `state`. */
  @inline
  static at(state: Column): Filter {
    return changetype<Filter>(state)
  }

  /** Sets the weights of the inputs; together with `feedback` before the first candle. */
  forward(a0: f64, a1: f64, a2: f64, a3: f64): void {
    this.a0 = a0
    this.a1 = a1
    this.a2 = a2
    this.a3 = a3
    this.setHistory(0, 0)
  }

  /** Sets the weights of the filter's own values. */
  feedback(b1: f64, b2: f64, b3: f64): void {
    this.b1 = b1
    this.b2 = b2
    this.b3 = b3
  }

  /** Sets the values before the first candle. */
  setHistory(x: f64, y: f64): void {
    this.x1 = x
    this.x2 = x
    this.x3 = x
    this.y1 = y
    this.y2 = y
    this.y3 = y
  }

  /** Adds a candle whose value does not follow from the filter. */
  push(x: f64, y: f64): void {
    this.x3 = this.x2
    this.x2 = this.x1
    this.x1 = x
    this.y3 = this.y2
    this.y2 = this.y1
    this.y1 = y
  }

  /**
   * Writes `out[i]` for i in [from, to). The first `seeds` values equal x if `startsAtInput`, else 0. x and out may be the
   * same column.
   */
  run(x: Column, out: Column, from: i32, to: i32, seeds: i32, startsAtInput: bool): void {
    const a0 = this.a0
    const a1 = this.a1
    const a2 = this.a2
    const a3 = this.a3
    const b1 = this.b1
    const b2 = this.b2
    const b3 = this.b3
    let x1 = this.x1
    let x2 = this.x2
    let x3 = this.x3
    let y1 = this.y1
    let y2 = this.y2
    let y3 = this.y3
    let i = from
    for (const end = min(to, seeds); i < end; i++) {
      x3 = x2
      x2 = x1
      x1 = x[i]
      y3 = y2
      y2 = y1
      y1 = startsAtInput ? x1 : 0
      out[i] = y1
    }
    for (; i < to; i++) {
      const value = x[i]
      // Adds the previous value last, so that one candle waits for only two operations of the one before.
      const y = a0 * value + a1 * x1 + (a2 * x2 + a3 * x3) + (b2 * y2 + b3 * y3) + b1 * y1
      x3 = x2
      x2 = x1
      x1 = value
      y3 = y2
      y2 = y1
      y1 = y
      out[i] = y
    }
    this.x1 = x1
    this.x2 = x2
    this.x3 = x3
    this.y1 = y1
    this.y2 = y2
    this.y3 = y3
  }
}

/** Ehlers' super smoother of two poles over `period` candles, which may be a fraction. It starts as the input. */
export function setSuperSmoother(filter: Filter, period: f64): void {
  const decay = Math.exp((-rootOfTwo * Math.PI) / period)
  const turn = 2 * decay * Math.cos((rootOfTwo * Math.PI) / period)
  const gain = 1 - turn + decay * decay
  filter.forward(gain / 2, gain / 2, 0, 0)
  filter.feedback(turn, -decay * decay, 0)
}

/**
 * Ehlers' high-pass filter of one pole over `period` candles, which may be a fraction. It starts at 0. Its gain is 1 − α/2,
 * or 1 + α/2 where `isAmplified`, as around his band-pass filter.
 */
export function setHighPass(filter: Filter, period: f64, isAmplified: bool = false): void {
  const angle = (2 * Math.PI) / period
  const alpha = (Math.cos(angle) + Math.sin(angle) - 1) / Math.cos(angle)
  const gain = isAmplified ? 1 + alpha / 2 : 1 - alpha / 2
  filter.forward(gain, -gain, 0, 0)
  filter.feedback(1 - alpha, 0, 0)
}

/** Ehlers' high-pass filter of two poles over `period` candles. It starts at 0. */
export function setSecondHighPass(filter: Filter, period: f64, k: f64): void {
  const angle = (2 * Math.PI * k) / period
  const alpha = (Math.cos(angle) + Math.sin(angle) - 1) / Math.cos(angle)
  const gain = (1 - alpha / 2) * (1 - alpha / 2)
  filter.forward(gain, -2 * gain, gain, 0)
  filter.feedback(2 * (1 - alpha), -(1 - alpha) * (1 - alpha), 0)
}

/** Ehlers' band-pass filter around cycles of `period` candles. Its width is the share `width` of the cycle's angle. */
export function setBandPass(filter: Filter, period: f64, width: f64): void {
  const angle = (2 * Math.PI) / period
  const spread = 1 / Math.cos(angle * width)
  const alpha = spread - sqrt(spread * spread - 1)
  const gain = (1 - alpha) / 2
  filter.forward(gain, 0, -gain, 0)
  filter.feedback(Math.cos(angle) * (1 + alpha), -alpha, 0)
}
