import { createHash } from 'node:crypto'
import type { Account } from '../contract/account.js'
import { rateWindowMs } from '../contract/limits.js'
import type {
  FreeRetries,
  RateWindows,
  SubscriptionBounds,
  SubscriptionLimit,
  WindowUse,
} from '../contract/storage/stores.js'

/** Numbers of an entry. The last one is the time at which the entry ends. */
export type Numbers = readonly [number, ...number[]]

/** Windows that are changed one by one and never removed: each has a count and an end, under an ASCII key. */
export interface WindowTable {
  /** Monotonic time in milliseconds, from any start. */
  now(): number
  /** Numbers of an entry that ends after `now`, by default the present time. An ended entry is absent. */
  get(key: string, now?: number): readonly number[] | undefined
  /**
   * Replaces the numbers of an entry by the result of `next`, unless this is undefined. Returns the current numbers.
   * `next` runs again if another process has changed the entry in between.
   */
  change(
    key: string,
    now: number,
    next: (numbers: readonly number[] | undefined) => Numbers | undefined,
  ): readonly number[] | undefined
}

/** Numbers of any count under ASCII keys. */
export interface NumberTable extends WindowTable {
  set(key: string, numbers: Numbers): void
  remove(key: string): void
  removeAll(prefix: string): void
  /** Returns the result of `work`, which runs while no other process changes the table. */
  transaction<Result>(work: () => Result): Result
}

/** Number of entries that a new entry makes the table inspect. So at most two thirds of the entries have ended. */
const inspected = 2

/** Numbers of this process in memory. */
export class MemoryTable implements NumberTable {
  readonly now: () => number
  readonly #entries = new Map<string, readonly number[]>()
  #toInspect = this.#entries.keys()

  /** `now` counts milliseconds from any time and never goes back. */
  constructor(now: () => number) {
    this.now = now
  }

  /** Number of entries in memory, with some that have ended. */
  get size(): number {
    return this.#entries.size
  }

  get(key: string, now?: number): readonly number[] | undefined {
    const numbers = this.#entries.get(key)
    return numbers && (numbers.at(-1) as number) > (now ?? this.now()) ? numbers : undefined
  }

  change(
    key: string,
    now: number,
    next: (numbers: readonly number[] | undefined) => Numbers | undefined,
  ): readonly number[] | undefined {
    const numbers = this.get(key, now)
    const changed = next(numbers)
    if (changed) this.set(key, changed)
    return changed ?? numbers
  }

  set(key: string, numbers: Numbers): void {
    const { size } = this.#entries
    this.#entries.set(key, numbers)
    if (this.#entries.size > size) for (let at = 0; at < inspected; at++) this.#inspect()
  }

  remove(key: string): void {
    this.#entries.delete(key)
  }

  removeAll(prefix: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key)
  }

  transaction<Result>(work: () => Result): Result {
    return work()
  }

  /** Removes the next entry if it has ended. After the last entry, continues with the first one. */
  #inspect(): void {
    const { value: key, done } = this.#toInspect.next()
    if (done) this.#toInspect = this.#entries.keys()
    else if (this.get(key) === undefined) this.#entries.delete(key)
  }
}

/** Fixed rate windows of accounts in a table. All members return synchronously. */
export class CountedWindows implements RateWindows {
  /** The windows are under the ids of their accounts. */
  constructor(private readonly table: WindowTable) {}

  take({ id, requests: limit }: Account, requests = 1): WindowUse {
    const now = this.table.now()
    let allowed = true
    const window = this.table.change(id, now, numbers => {
      const used = numbers?.[0] ?? 0
      allowed = requests === 0 || used + requests <= limit
      return allowed && requests > 0 ? [used + requests, numbers?.[1] ?? now + rateWindowMs] : undefined
    })
    const ends = window?.[1] ?? now + rateWindowMs
    const reset = Math.max(1, Math.ceil((ends - now) / 1000))
    return { allowed, remaining: Math.max(0, limit - (window?.[0] ?? 0)), reset, ends }
  }

  readonly takeNow = this.take

  peek(account: Account): WindowUse {
    return this.take(account, 0)
  }

  refund(account: Account, use: WindowUse): WindowUse {
    if (!use.allowed) return use
    const { table } = this
    table.change(account.id, table.now(), ([used = 0, ends = 0] = []) =>
      ends === use.ends && used > 0 ? [used - 1, ends] : undefined,
    )
    return this.peek(account)
  }
}

/** Milliseconds during which the retry of a pending request is free. */
export const repetitionMs = 60_000

const lastRetryKey = 'retries'

/** A text as part of a key. Keys of a table are short. */
const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Pending requests that may be retried for free, in a table. */
export class CountedRetries implements FreeRetries {
  /** `last` has the time at which the last free retry ends, which every GET reads. */
  constructor(
    private readonly table: NumberTable,
    private readonly last: WindowTable = table,
  ) {}

  isEmpty(): boolean {
    return this.last.get(lastRetryKey) === undefined
  }

  take(request: string): boolean {
    const key = retryKey(request)
    return this.table.transaction(() => {
      const isFree = this.table.get(key) !== undefined
      this.table.remove(key)
      return isFree
    })
  }

  add(request: string): undefined {
    const now = this.table.now()
    const ends = now + repetitionMs
    this.table.transaction(() => this.table.set(retryKey(request), [ends]))
    this.last.change(lastRetryKey, now, () => [0, ends])
  }
}

const retryKey = (request: string) => `retry/${digest(request)}`

/**
 * Limits the new subscriptions of an account per window to the number of subscriptions of its plan. Otherwise a client could read
 * any number of values by ending each subscription after its first update. A topic that the account already had in the window, for
 * example before a lost connection, is not new.
 */
export class NewSubscriptions {
  constructor(private readonly table: NumberTable) {}

  /** Counts a subscription to a topic. Returns the seconds until the window ends if the subscription exceeds the limit. */
  take({ id, subscriptions }: Account, topic: string): number | undefined {
    const now = this.table.now()
    const windowKey = `topics/${id}`
    const [count = 0, ends = now + rateWindowMs] = this.table.get(windowKey) ?? []
    const key = `topic/${id}/${digest(topic)}`
    if (this.table.get(key)?.[0] === ends) return undefined
    if (count >= subscriptions) return Math.ceil((ends - now) / 1000)
    this.table.set(key, [ends])
    this.table.set(windowKey, [count + 1, ends])
    return undefined
  }
}

/** Number of a process of a machine, counted from 0, and the count of processes. */
export interface ProcessNumber {
  readonly number: number
  readonly count: number
}

/**
 * Bounds of the subscriptions at all processes of one machine, in a table. The subscriptions of an ended process count until another
 * process starts with the same number.
 */
export class CountedSubscriptions implements SubscriptionBounds {
  readonly #new: NewSubscriptions

  constructor(
    private readonly table: NumberTable,
    private readonly process: ProcessNumber = { number: 0, count: 1 },
  ) {
    this.#new = new NewSubscriptions(table)
    table.removeAll(heldPrefix(process.number))
  }

  reserve(account: Account, topic: string): SubscriptionLimit {
    return this.table.transaction(() => {
      let held = 0
      for (let process = 0; process < this.process.count; process++) held += this.#heldBy(process, account)
      if (held >= account.subscriptions) return 'plan'
      const seconds = this.#new.take(account, topic)
      if (seconds !== undefined) return { seconds }
      this.#add(account, 1)
      return undefined
    })
  }

  release(account: Account): void {
    this.table.transaction(() => this.#add(account, -1))
  }

  #heldBy(process: number, { id }: Account): number {
    return this.table.get(heldPrefix(process) + id)?.[0] ?? 0
  }

  #add(account: Account, change: number): void {
    const { number } = this.process
    const key = heldPrefix(number) + account.id
    const held = this.#heldBy(number, account) + change
    if (held > 0) this.table.set(key, [held, Number.POSITIVE_INFINITY])
    else this.table.remove(key)
  }
}

const heldPrefix = (process: number) => `held/${process}/`
