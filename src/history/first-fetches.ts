import { TooManyFirstFetches } from './failure.js'

/** How many first fetches may be under way at once. */
export interface FirstFetchLimits {
  readonly total: number
  /** Of those that one caller has started. */
  readonly perCaller: number
}

/**
 * The series that are being fetched for the first time. A first fetch costs its caller nothing until the candles are
 * there, so the number under way is bounded, for each caller and for all of them.
 */
export class FirstFetches<Fetch extends { readonly ready: Promise<unknown> }> {
  readonly #limits: FirstFetchLimits
  readonly #fetches = new Map<string, Fetch>()
  /** Fetches under way by the caller that started them; callers without any are not in it. */
  readonly #countByCaller = new Map<string, number>()

  constructor(limits: FirstFetchLimits) {
    this.#limits = limits
  }

  get(key: string): Fetch | undefined {
    return this.#fetches.get(key)
  }

  has(key: string): boolean {
    return this.#fetches.has(key)
  }

  /** Throws TooManyFirstFetches where one more is too many. Fetches without a caller count for the total only. */
  check(callerId: string | undefined): void {
    const { total, perCaller } = this.#limits
    if (callerId !== undefined && (this.#countByCaller.get(callerId) ?? 0) >= perCaller)
      throw new TooManyFirstFetches('caller', perCaller)
    if (this.#fetches.size >= total) throw new TooManyFirstFetches('total', total)
  }

  /** Remembers a fetch until `finish` is called for it. */
  add(key: string, fetch: Fetch, callerId: string | undefined): void {
    this.#fetches.set(key, fetch)
    if (callerId !== undefined)
      this.#countByCaller.set(callerId, (this.#countByCaller.get(callerId) ?? 0) + 1)
  }

  finish(key: string, callerId: string | undefined): void {
    this.#fetches.delete(key)
    if (callerId === undefined) return
    const left = (this.#countByCaller.get(callerId) ?? 0) - 1
    if (left > 0) this.#countByCaller.set(callerId, left)
    else this.#countByCaller.delete(callerId)
  }
}
