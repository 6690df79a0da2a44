import { createHash } from 'node:crypto'
import type { FreeRetries } from '../../contract/storage/stores.js'
import { afterTurn } from '../../runtime/scheduler.js'
import { repetitionMs } from '../embedded/memory-free-retries.js'
import type { CounterTable } from './counter-table.js'

/** When the last repetition that is free ends. */
const lastKey = 'retries'
/** A request may be longer than a key. */
const retryKey = (request: string) => `retry/${createHash('sha256').update(request).digest('base64url')}`

/** The requests that may be repeated at any process of one machine. */
export class ProcessFreeRetries implements FreeRetries {
  readonly #numbers: CounterTable
  readonly #clock: () => number
  /** When the last repetition that is free ends, as it was read in this turn of the event loop. */
  #end: number | undefined

  /** `clock` counts milliseconds from a time that is the same one in all processes, and never goes back. */
  constructor(numbers: CounterTable, clock: () => number) {
    this.#numbers = numbers
    this.#clock = clock
  }

  isEmpty(): boolean {
    // A request that repeats one of another process comes in a later turn of the event loop than that was answered in.
    if (this.#end === undefined) {
      this.#end = this.#numbers.get(lastKey)?.[0] ?? 0
      afterTurn(() => {
        this.#end = undefined
      })
    }
    return this.#end === 0 || this.#end <= this.#clock()
  }

  take(request: string): boolean {
    const key = retryKey(request)
    return this.#numbers.transaction(numbers => {
      const [ends = 0] = numbers.get(key) ?? []
      numbers.remove(key)
      return ends > this.#clock()
    })
  }

  add(request: string): undefined {
    const ends = this.#clock() + repetitionMs
    this.#end = ends
    this.#numbers.transaction(numbers => {
      numbers.set(retryKey(request), ends)
      numbers.set(lastKey, ends)
    })
  }
}
