import type { Account } from '../../contract/account.js'
import { rateWindowMs } from '../../contract/limits.js'
import type { RateWindows, WindowUse } from '../../contract/storage/stores.js'
import { pause } from '../../runtime/pause.js'
import { windowUse } from '../embedded/memory-rate-windows.js'
import type { CounterTable, NumberChanges } from './counter-table.js'

/** What a process takes in advance for further requests of an account, and for how many milliseconds. */
const advance = 32
const advanceMs = 5
/** How long a request waits for what other processes have taken in advance, in milliseconds. */
const maxWaitMs = 500

/** The window of an account. */
interface Window {
  /** Requests that were taken, in advance as well. */
  readonly used: number
  /** Of those, the ones that were taken in advance and may be returned. */
  readonly ahead: number
  readonly ends: number
}

/** What this process has taken in advance for an account. */
interface Advance {
  readonly ends: number
  /** The requests that were taken with it and before it. */
  readonly used: number
  left: number
}

const windowKey = (id: string) => `window/${id}`

/** The window that is open, or a new one. */
function windowOf(numbers: Pick<NumberChanges, 'get'>, { id }: Pick<Account, 'id'>, now: number): Window {
  const [used = 0, ahead = 0, ends = 0] = numbers.get(windowKey(id)) ?? []
  return ends > now ? { used, ends, ahead } : { used: 0, ahead: 0, ends: now + rateWindowMs }
}

/**
 * Windows that the processes of one machine share. A request is counted where all of them see it, and answered at once.
 *
 * A transaction takes half as long as a warm request. So where an account sends several within some milliseconds, a process takes
 * some in advance, as long as there are enough for all processes, and returns soon what was not needed. A request that finds none
 * left while some were taken in advance waits until they are returned, so exactly as many are allowed as the plan says.
 */
export class ProcessRateWindows implements RateWindows {
  readonly #numbers: CounterTable
  readonly #clock: () => number
  /** The requests that must be left for an advance: as many for each process. */
  readonly #plenty: number
  /** By account id, what was taken in advance where an account has sent requests in the last milliseconds. */
  readonly #recent = new Map<string, Advance | undefined>()
  #returning: NodeJS.Timeout | undefined

  /** `clock` counts milliseconds from a time that is the same one in all so many processes, and never goes back. */
  constructor(numbers: CounterTable, clock: () => number, processes: number) {
    this.#numbers = numbers
    this.#clock = clock
    this.#plenty = (processes + 1) * advance
  }

  take(account: Account): WindowUse | Promise<WindowUse> {
    return this.takeNow(account) ?? this.#takeLater(account, this.#clock() + maxWaitMs)
  }

  takeNow(account: Account): WindowUse | undefined {
    const now = this.#clock()
    const known = this.#recent.get(account.id)
    if (known && known.left > 0 && known.ends > now && known.used <= account.requests) {
      known.left--
      return windowUse(account, true, known.used - known.left, known.ends, now)
    }
    return this.#take(account, now)
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
      numbers.set(windowKey(account.id), left, ahead, ends)
      return windowUse(account, true, left, ends, now)
    })
  }

  /** Undefined where none is left, but others were taken in advance. */
  #take(account: Account, now: number): WindowUse | undefined {
    const { id, requests } = account
    const known = this.#recent.get(id)
    return this.#numbers.transaction(numbers => {
      const window = windowOf(numbers, account, now)
      const { ends } = window
      const isOwn = known?.ends === ends
      const used = window.used - (isOwn ? known.left : 0)
      const ahead = window.ahead - (isOwn ? advance : 0)
      if (used >= requests) return ahead > 0 ? undefined : windowUse(account, false, used, ends, now)
      const more = this.#recent.has(id) && requests - used >= this.#plenty ? advance : 0
      numbers.set(windowKey(id), used + 1 + more, ahead + more, ends)
      if (this.#recent.size === 0) this.#returning = setTimeout(() => this.returnAll(), advanceMs)
      this.#recent.set(id, more > 0 ? { ends, used: used + 1 + more, left: more } : undefined)
      return windowUse(account, true, used + 1, ends, now)
    })
  }

  async #takeLater(account: Account, until: number): Promise<WindowUse> {
    for (;;) {
      await pause(advanceMs)
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

  /** Returns what was taken in advance and is not used: after some milliseconds, and before the numbers are closed. */
  returnAll(): void {
    clearTimeout(this.#returning)
    const now = this.#clock()
    for (const [id, taken] of this.#recent) {
      if (!taken) continue
      this.#numbers.transaction(numbers => {
        const { used, ahead, ends } = windowOf(numbers, { id }, now)
        if (ends === taken.ends) numbers.set(windowKey(id), used - taken.left, ahead - advance, ends)
      })
    }
    this.#recent.clear()
  }
}
