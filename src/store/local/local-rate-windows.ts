import { afterTurn } from '../../runtime/event-loop.js'
import { pause } from '../../runtime/pause.js'
import { windowUse } from '../embedded/memory-rate-windows.js'
import { type Account, type RateWindows, rateWindowMs, type WindowUse } from '../store.js'
import type { NumberChanges, SharedNumbers } from './shared-numbers.js'

/** What a process takes in advance for further requests of an account in the same turn of its event loop. */
export const advance = 32
/** How long a request waits for what other processes have taken in advance, in milliseconds, and how often it looks. */
const maxWaitMs = 500
const waitMs = 1

/** The window of an account. */
interface Window {
  /** Requests that were taken, in advance as well. */
  readonly used: number
  readonly ends: number
  /** Of those, the ones that were taken in advance in turns that have not ended. */
  readonly ahead: number
}

/** What this process has taken in advance for an account. */
interface Advance {
  readonly ends: number
  /** The requests that were taken with it and before it. */
  readonly used: number
  left: number
}

const keyOf = (id: string) => `window/${id}`

/** The window that is open, or a new one. */
function windowOf(numbers: Pick<NumberChanges, 'get'>, { id }: Pick<Account, 'id'>, now: number): Window {
  const [used = 0, ends = 0, ahead = 0] = numbers.get(keyOf(id)) ?? []
  return ends > now ? { used, ends, ahead } : { used: 0, ends: now + rateWindowMs, ahead: 0 }
}

/**
 * Windows that the processes of one machine share. A request is counted where all of them see it, and answered at once.
 *
 * A transaction takes a fifth of a warm request. So with the second request of an account in one turn of the event loop, a process
 * takes some in advance, as long as there are enough for all processes, and returns at the end of the turn what was not needed. A
 * request that finds none left while some were taken in advance waits for the end of these turns, so exactly as many are allowed
 * as the plan says.
 */
export class LocalRateWindows implements RateWindows {
  readonly #numbers: SharedNumbers
  readonly #clock: () => number
  /** The requests that must be left for an advance: one for each process, so that they run out in no turn. */
  readonly #plenty: number
  /** By account id, those that were asked for in this turn. */
  readonly #turn = new Map<string, Advance | undefined>()

  /** `clock` counts milliseconds from a time that is the same one in all so many processes, and never goes back. */
  constructor(numbers: SharedNumbers, clock: () => number, processes: number) {
    this.#numbers = numbers
    this.#clock = clock
    this.#plenty = (processes + 1) * advance
  }

  take(account: Account): WindowUse | Promise<WindowUse> {
    const now = this.#clock()
    const known = this.#turn.get(account.id)
    if (known && known.left > 0 && known.ends > now && known.used <= account.requests) {
      known.left--
      return windowUse(account, true, known.used - known.left, known.ends, now)
    }
    return this.#take(account, now) ?? this.#takeLater(account, now + maxWaitMs)
  }

  peek(account: Account): WindowUse {
    const now = this.#clock()
    const { used, ends } = windowOf(this.#numbers, account, now)
    return windowUse(account, true, used, ends, now)
  }

  refund(account: Account, use: WindowUse): WindowUse {
    const now = this.#clock()
    return this.#numbers.transaction(numbers => {
      const { used, ends, ahead } = windowOf(numbers, account, now)
      if (!use.allowed || ends !== use.ends) return use
      const left = Math.max(0, used - 1)
      numbers.set(keyOf(account.id), left, ends, ahead)
      return windowUse(account, true, left, ends, now)
    })
  }

  /** Undefined where none is left, but some were taken in advance. */
  #take(account: Account, now: number): WindowUse | undefined {
    const { id, requests } = account
    return this.#numbers.transaction(numbers => {
      const { used, ends, ahead } = windowOf(numbers, account, now)
      if (used >= requests) return ahead > 0 ? undefined : windowUse(account, false, used, ends, now)
      const isAgain = this.#turn.has(id)
      if (this.#turn.size === 0) afterTurn(() => this.#endTurn())
      if (isAgain && this.#turn.get(id) === undefined && requests - used >= this.#plenty) {
        numbers.set(keyOf(id), used + 1 + advance, ends, ahead + advance)
        this.#turn.set(id, { ends, used: used + 1 + advance, left: advance })
      } else {
        numbers.set(keyOf(id), used + 1, ends, ahead)
        if (!isAgain) this.#turn.set(id, undefined)
      }
      return windowUse(account, true, used + 1, ends, now)
    })
  }

  async #takeLater(account: Account, until: number): Promise<WindowUse> {
    for (;;) {
      await pause(waitMs)
      const now = this.#clock()
      const use = this.#take(account, now)
      if (use) return use
      // A process that has ended returns nothing.
      if (now >= until) {
        const { used, ends } = windowOf(this.#numbers, account, now)
        return windowUse(account, false, used, ends, now)
      }
    }
  }

  /** Returns what was taken in advance and is not used. */
  #endTurn(): void {
    const now = this.#clock()
    for (const [id, taken] of this.#turn) {
      if (!taken) continue
      this.#numbers.transaction(numbers => {
        const { used, ends, ahead } = windowOf(numbers, { id }, now)
        if (ends === taken.ends) numbers.set(keyOf(id), used - taken.left, ends, ahead - advance)
      })
    }
    this.#turn.clear()
  }
}
