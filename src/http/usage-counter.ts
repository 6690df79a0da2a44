import { dayOf, type RequestCounts, type UsageStore, usageSeconds } from '../contract/usage.js'
import type { AgeClock } from '../runtime/age-clock.js'

/** How often what was counted is stored, in milliseconds: a process that is killed loses so much of it at most. */
const storeMs = 10_000
/** Accounts whose requests are stored in one step. */
const perStep = 200

/** The usage under which requests are counted that the rate window of their account refused. */
export const refusedKind = 'refused'

interface Options {
  readonly store: UsageStore
  /** The present time, in Unix seconds. */
  readonly clock: () => number
  /** Clock that decides which days are too old to keep. */
  readonly ages: Pick<AgeClock, 'before'>
  /** Called when counts cannot be stored; they are kept and tried again. */
  readonly onFault: (error: unknown) => void
}

/**
 * Counts the requests of each account in memory, which costs a request nothing that can be measured, and adds them to what is stored from time to
 * time. A request belongs to the day on which it is stored.
 */
export class UsageCounter {
  readonly store: UsageStore
  readonly #options: Options
  #counts = new Map<string, Record<string, number>>()
  readonly #timer: NodeJS.Timeout
  #storing: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.store = options.store
    this.#options = options
    this.#timer = setInterval(() => this.flush(), storeMs).unref()
  }

  /** Counts requests of an account; a negative number takes some off. */
  count(account: string, kind: string, requests = 1): void {
    let counts = this.#counts.get(account)
    if (counts === undefined) {
      counts = {}
      this.#counts.set(account, counts)
    }
    counts[kind] = (counts[kind] ?? 0) + requests
  }

  /** Resolves when what was counted is stored, or could not be. */
  flush(): Promise<void> {
    this.#storing = this.#storing.then(() => this.#store())
    return this.#storing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  async #store(): Promise<void> {
    const { clock, ages, onFault } = this.#options
    const oldest = ages.before(usageSeconds)
    const first = Number.isFinite(oldest) ? dayOf(oldest) : undefined
    const counted = [...this.#counts]
    this.#counts = new Map()
    while (counted.length > 0) {
      const some = counted.slice(0, perStep)
      try {
        await this.store.add(dayOf(clock()), new Map<string, RequestCounts>(some), first)
        counted.splice(0, perStep)
      } catch (error) {
        for (const [account, counts] of counted)
          for (const [kind, count] of Object.entries(counts)) this.count(account, kind, count)
        return onFault(error)
      }
    }
  }
}
