import { createHash } from 'node:crypto'
import type { Account } from '../../contract/account.js'
import { rateWindowMs } from '../../contract/limits.js'
import type {
  FreeRetries,
  RateWindows,
  SubscriptionBounds,
  SubscriptionLimit,
  WindowUse,
} from '../../contract/storage/stores.js'
import { pause } from '../../runtime/pause.js'
import { afterTurn } from '../../runtime/scheduler.js'
import { repetitionMs, windowUse } from '../embedded/memory-bounds.js'
import type { CounterTable, NumberChanges } from './counter-table.js'

/** Key of the time at which the last free retry ends. */
const lastKey = 'retries'
/** Key of a request, as a hash, because a request may be longer than a key. */
const retryKey = (request: string) => `retry/${createHash('sha256').update(request).digest('base64url')}`

/** Pending requests that may be retried for free at any process of one machine. */
export class ProcessFreeRetries implements FreeRetries {
  readonly #numbers: CounterTable
  readonly #clock: () => number
  /** Time at which the last free retry ends, cached for this turn of the event loop. */
  #end: number | undefined

  /** `clock` is monotonic and counts milliseconds from a time that all processes share. */
  constructor(numbers: CounterTable, clock: () => number) {
    this.#numbers = numbers
    this.#clock = clock
  }

  isEmpty(): boolean {
    // The retry of another process's request arrives in a later turn of the event loop than the one in which it was answered.
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

/** Number of requests that a process takes in advance for an account, and how long it keeps them, in milliseconds. */
const advance = 32
const advanceMs = 5
/** Maximum milliseconds that a request waits for other processes to return requests taken in advance. */
const maxWaitMs = 500

/** Rate window of an account. */
interface Window {
  /** Number of taken requests, including requests taken in advance. */
  readonly used: number
  /** Number of requests taken in advance, which may be returned. */
  readonly ahead: number
  readonly ends: number
}

/** Requests that this process has taken in advance for an account. */
interface Advance {
  readonly ends: number
  /** Number of taken requests in the window, including this advance. */
  readonly used: number
  left: number
}

const windowKey = (id: string) => `window/${id}`

/** The open window, or a new one. */
function windowOf(numbers: Pick<NumberChanges, 'get'>, { id }: Pick<Account, 'id'>, now: number): Window {
  const [used = 0, ahead = 0, ends = 0] = numbers.get(windowKey(id)) ?? []
  return ends > now ? { used, ends, ahead } : { used: 0, ahead: 0, ends: now + rateWindowMs }
}

/**
 * Rate windows that the processes of one machine share. Requests are counted in the shared table and mostly answered synchronously.
 *
 * A transaction costs half as much as a warm request. So if an account sends several requests within a few milliseconds, a process
 * takes some requests in advance. It does so only while enough requests are left for all processes, and soon returns unused ones.
 *
 * A request waits if none is left but some were taken in advance, until these are returned. So exactly the number of requests of
 * the plan is allowed.
 */
export class ProcessRateWindows implements RateWindows {
  readonly #numbers: CounterTable
  readonly #clock: () => number
  /** Minimum number of requests left at which a process may take an advance: enough for one advance per process. */
  readonly #plenty: number
  /** Accounts with requests in the last milliseconds, by id, each with its advance if there is one. */
  readonly #recent = new Map<string, Advance | undefined>()
  #returning: NodeJS.Timeout | undefined

  /** `clock` is monotonic and counts milliseconds from a time that all processes share. `processes` is their number. */
  constructor(numbers: CounterTable, clock: () => number, processes: number) {
    this.#numbers = numbers
    this.#clock = clock
    this.#plenty = (processes + 1) * advance
  }

  take(account: Account, requests = 1): WindowUse | Promise<WindowUse> {
    const use = requests === 1 ? this.takeNow(account) : this.#take(account, this.#clock(), requests)
    return use ?? this.#takeLater(account, this.#clock() + maxWaitMs, requests)
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

  /** Counts `wanted` requests. Returns undefined if too few are left but some were taken in advance. */
  #take(account: Account, now: number, wanted = 1): WindowUse | undefined {
    const { id, requests } = account
    const known = this.#recent.get(id)
    return this.#numbers.transaction(numbers => {
      const window = windowOf(numbers, account, now)
      const { ends } = window
      const isOwn = known?.ends === ends
      const used = window.used - (isOwn ? known.left : 0)
      const ahead = window.ahead - (isOwn ? advance : 0)
      if (used + wanted > requests) return ahead > 0 ? undefined : windowUse(account, false, used, ends, now)
      const more = this.#recent.has(id) && requests - used - wanted >= this.#plenty ? advance : 0
      numbers.set(windowKey(id), used + wanted + more, ahead + more, ends)
      if (this.#recent.size === 0) this.#returning = setTimeout(() => this.returnAll(), advanceMs)
      this.#recent.set(id, more > 0 ? { ends, used: used + wanted + more, left: more } : undefined)
      return windowUse(account, true, used + wanted, ends, now)
    })
  }

  async #takeLater(account: Account, until: number, wanted: number): Promise<WindowUse> {
    for (;;) {
      await pause(advanceMs)
      const now = this.#clock()
      const use = this.#take(account, now, wanted)
      if (use) return use
      // A killed process returns no requests.
      if (now >= until) {
        const { used, ends } = windowOf(this.#numbers, account, now)
        return windowUse(account, false, used, ends, now)
      }
    }
  }

  /** Returns all unused requests taken in advance. Runs a few milliseconds after they were taken, and before the table closes. */
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

/** Number of a process of a machine, counted from 0, and the count of processes. */
export interface ProcessNumber {
  readonly number: number
  readonly count: number
}

const heldPrefix = (process: number) => `held/${process}/`
const heldBy = (numbers: NumberChanges, process: number, { id }: Account) =>
  numbers.get(heldPrefix(process) + id)?.[0] ?? 0
/** Key of a topic, as a hash, because a topic may be longer than a key. */
const topicKey = (account: string, topic: string) =>
  `topic/${account}/${createHash('sha256').update(topic).digest('base64url')}`

/**
 * Bounds of the subscriptions at all processes of one machine. The subscriptions of an ended process count until another process
 * starts with the same number.
 */
export class ProcessSubscriptionBounds implements SubscriptionBounds {
  readonly #numbers: CounterTable
  readonly #clock: () => number
  readonly #process: ProcessNumber

  /** `clock` is monotonic and counts milliseconds from a time that all processes share. */
  constructor(numbers: CounterTable, clock: () => number, process: ProcessNumber) {
    this.#numbers = numbers
    this.#clock = clock
    this.#process = process
    const prefix = heldPrefix(process.number)
    const keys = numbers.keys(prefix).filter(key => key.startsWith(prefix))
    numbers.transaction(({ remove }) => {
      for (const key of keys) remove(key)
    })
  }

  reserve(account: Account, topic: string): SubscriptionLimit {
    return this.#numbers.transaction(numbers => {
      let held = 0
      for (let process = 0; process < this.#process.count; process++)
        held += heldBy(numbers, process, account)
      if (held >= account.subscriptions) return 'plan'
      const seconds = this.#addTopic(numbers, account, topic)
      if (seconds !== undefined) return { seconds }
      this.#add(numbers, account, 1)
      return undefined
    })
  }

  release(account: Account): void {
    this.#numbers.transaction(numbers => this.#add(numbers, account, -1))
  }

  #add(numbers: NumberChanges, account: Account, change: number): void {
    const { number } = this.#process
    const key = heldPrefix(number) + account.id
    const held = heldBy(numbers, number, account) + change
    if (held > 0) numbers.set(key, held)
    else numbers.remove(key)
  }

  /** Counts a topic in the window of the account. Returns the seconds until the window ends if the topic exceeds the limit. */
  #addTopic(numbers: NumberChanges, { id, subscriptions }: Account, topic: string): number | undefined {
    const now = this.#clock()
    const windowKey = `topics/${id}`
    const [known = 0, end = 0] = numbers.get(windowKey) ?? []
    const isOpen = end > now
    const [count, ends] = isOpen ? [known, end] : [0, now + rateWindowMs]
    const key = topicKey(id, topic)
    if (isOpen && numbers.get(key)?.[0] === ends) return undefined
    if (count >= subscriptions) return Math.ceil((ends - now) / 1000)
    numbers.set(key, ends)
    numbers.set(windowKey, count + 1, ends)
    return undefined
  }
}
