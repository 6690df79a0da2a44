/** Level, change and second change of a smoothed value: three numbers of state. */
@final
@unmanaged
export class HoltWinters {
  static readonly size: i32 = 3

  private level: f64
  private change: f64
  private second: f64

  reset(value: f64): void {
    this.level = value
    this.change = 0
    this.second = 0
  }

  /** Adds a value and returns the forecast: level + change + half the second change. */
  step(value: f64, na: f64, nb: f64, nc: f64): f64 {
    const level = (1 - na) * (this.level + this.change + 0.5 * this.second) + na * value
    const change = (1 - nb) * (this.change + this.second) + nb * (level - this.level)
    this.second = (1 - nc) * this.second + nc * (change - this.change)
    this.level = level
    this.change = change
    return level + change + 0.5 * this.second
  }
}
