/**
 * Two lines at a distance from an average: the lower one only rises while the average is above it, the upper one only
 * falls while the average is below it, and the side changes when the average passes the line of the other side
 * (OTT, PMax and MOST on TradingView). It starts on the long side. The numbers are read from and written to three
 * elements of state by the kernel.
 */
@final
@unmanaged
export class TrailingStop {
  static readonly size: i32 = 3

  /** The stop of a long position, and of a short one. */
  long: f64
  short: f64
  /** 1 while long, −1 while short; 0 before the first candle. */
  side: f64

  reset(): void {
    this.long = 0
    this.short = 0
    this.side = 0
  }

  /** Adds the average of a candle and the distance, and returns the stop that applies. */
  step(mean: f64, distance: f64): f64 {
    const lastLong = this.long
    const lastShort = this.short
    let long = mean - distance
    let short = mean + distance
    if (this.side === 0) this.side = 1
    else {
      if (mean > lastLong) long = max(long, lastLong)
      if (mean < lastShort) short = min(short, lastShort)
      if (this.side < 0 && mean > lastShort) this.side = 1
      else if (this.side > 0 && mean < lastLong) this.side = -1
    }
    this.long = long
    this.short = short
    return this.side > 0 ? long : short
  }
}
