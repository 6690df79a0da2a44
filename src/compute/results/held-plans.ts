import type { Entry } from '../../catalogue/index.js'
import { planBytesOf } from '../expressions/compile.js'

/** The plans of expressions that calculations keep in memory. One that several of them have in common counts once. */
export class HeldPlans {
  readonly #users = new Map<Entry, number>()
  #bytes = 0

  /** Bytes of memory that they take, about. */
  get bytes(): number {
    return this.#bytes
  }

  /** Bytes that the plan of a calculation would add. */
  bytesToAdd(indicator: Entry): number {
    return this.#users.has(indicator) ? 0 : planBytesOf(indicator)
  }

  /** A calculation is kept from now on. */
  add(indicator: Entry): void {
    const bytes = planBytesOf(indicator)
    if (bytes === 0) return
    const users = this.#users.get(indicator) ?? 0
    if (users === 0) this.#bytes += bytes
    this.#users.set(indicator, users + 1)
  }

  /** A calculation that was added is kept no longer. */
  delete(indicator: Entry): void {
    const users = this.#users.get(indicator)
    if (users === undefined) return
    if (users > 1) this.#users.set(indicator, users - 1)
    else {
      this.#users.delete(indicator)
      this.#bytes -= planBytesOf(indicator)
    }
  }
}
