/** The four stages of a Laguerre filter: four numbers of state. */
@final
@unmanaged
export class LaguerreStages {
  private l0: f64
  private l1: f64
  private l2: f64
  private l3: f64

  reset(value: f64): void {
    this.l0 = value
    this.l1 = value
    this.l2 = value
    this.l3 = value
  }

  /** Adds a value and returns the mean of the stages with the weights 1, 2, 2, 1. */
  step(value: f64, gamma: f64): f64 {
    const l0 = this.l0
    const l1 = this.l1
    const l2 = this.l2
    this.l0 = (1 - gamma) * value + gamma * l0
    this.l1 = l0 + gamma * (l1 - this.l0)
    this.l2 = l1 + gamma * (l2 - this.l1)
    this.l3 = l2 + gamma * (this.l3 - this.l2)
    return (this.l0 + 2 * this.l1 + 2 * this.l2 + this.l3) / 6
  }
}
