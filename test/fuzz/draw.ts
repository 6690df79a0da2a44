import { createRandom } from '../../bench/random.js'

/** Random choices of one case. They depend on the seed and the number of the case only, so that each case can be replayed. */
export class Draw {
  readonly #next: () => number

  constructor(seed: number, number: number) {
    this.#next = createRandom((Math.imul(seed, 1_000_003) + number) | 0)
  }

  /** A number in [0, 1). */
  readonly number = (): number => this.#next()

  /** An integer from 0 to `bound` - 1. */
  below(bound: number): number {
    return Math.floor(this.#next() * bound)
  }

  chance(probability: number): boolean {
    return this.#next() < probability
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)] as Value
  }

  /** A list of up to `most` values. */
  list<Value>(most: number, create: () => Value): Value[] {
    return Array.from({ length: this.below(most + 1) }, create)
  }

  /** Text of any characters, surrogates without their other half among them. */
  text(most: number): string {
    const range = this.pick([0x7f, 0xff, 0xffff])
    return String.fromCharCode(...this.list(most, () => this.below(range)))
  }

  /** Bytes as a broken client or network leaves them: some flipped, left out, repeated or inserted. */
  damage(bytes: Buffer): Buffer {
    let damaged = bytes
    for (let i = this.below(3); i >= 0; i--) {
      const at = this.below(damaged.length + 1)
      const end = Math.min(damaged.length, at + this.below(20))
      const [before, inside, after] = [
        damaged.subarray(0, at),
        damaged.subarray(at, end),
        damaged.subarray(end),
      ]
      const inserted = Buffer.from(this.list(8, () => this.below(256)))
      damaged = Buffer.concat(
        this.pick([
          [before, after],
          [before, inside, inside, after],
          [before, inserted, inside, after],
          [before, inserted, after],
          [before],
        ]),
      )
    }
    return damaged
  }
}
