/** When candles open, ascending, in Unix seconds: some of millions of candles, in eight bytes each. */
export class OpenTimes {
  #times: Float64Array
  #count = 0

  /** `room` is how many there will be, about. */
  constructor(room: number) {
    this.#times = new Float64Array(room)
  }

  get length(): number {
    return this.#count
  }

  get newest(): number | undefined {
    return this.#count > 0 ? this.#times[this.#count - 1] : undefined
  }

  /** All of them, until others are added. */
  get all(): Float64Array {
    return this.#times.subarray(0, this.#count)
  }

  push(time: number): void {
    if (this.#count === this.#times.length) {
      const grown = new Float64Array(Math.ceil(this.#count * 1.25) + 1024)
      grown.set(this.#times)
      this.#times = grown
    }
    this.#times[this.#count++] = time
  }

  /** Removes the newest one. */
  pop(): number | undefined {
    const { newest } = this
    if (newest !== undefined) this.#count--
    return newest
  }

  clear(): void {
    this.#count = 0
  }
}
