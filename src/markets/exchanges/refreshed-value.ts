/** Milliseconds for which lists of markets and symbols are fresh: they change by a few entries a day. */
const listFreshMs = 86_400_000
/** Milliseconds for which an outdated value is returned after a failed fetch. */
const staleMs = 60_000

/**
 * A value that is fetched when it is first needed, and again when it is no longer fresh, which lists are for a day. Concurrent calls share one fetch.
 * Where a further fetch fails, the outdated value is returned for a minute; before the first success the failure is
 * thrown, and the next call fetches again.
 */
export class RefreshedValue<Value> {
  #value: Value | undefined
  #freshUntil = 0
  #fetching: Promise<Value> | undefined
  #lastFetch = Number.NEGATIVE_INFINITY

  /** @param signal aborts when its owner is closed: outdated values are no longer returned. */
  constructor(
    private readonly fetch: () => Promise<Value>,
    private readonly signal: AbortSignal,
    private readonly freshMs = listFreshMs,
  ) {}

  /** The last value that was fetched, however old; undefined before the first one. */
  get last(): Value | undefined {
    return this.#value
  }

  /** Milliseconds since the end of the last fetch, successful or not. */
  get sinceFetchMs(): number {
    return performance.now() - this.#lastFetch
  }

  /** Sets a value that an earlier process fetched `ageMs` milliseconds ago. */
  restore(value: Value, ageMs: number): void {
    this.#value = value
    this.#freshUntil = performance.now() + this.freshMs - ageMs
  }

  /** The next `get` fetches. */
  expire(): void {
    this.#freshUntil = 0
  }

  get(): Promise<Value> {
    if (this.#value !== undefined && performance.now() < this.#freshUntil) return Promise.resolve(this.#value)
    this.#fetching ??= this.#refresh().finally(() => {
      this.#fetching = undefined
    })
    return this.#fetching
  }

  async #refresh(): Promise<Value> {
    try {
      this.#value = await this.fetch()
      this.#freshUntil = performance.now() + this.freshMs
      return this.#value
    } catch (error) {
      if (this.#value === undefined || this.signal.aborted) throw error
      this.#freshUntil = performance.now() + staleMs
      return this.#value
    } finally {
      this.#lastFetch = performance.now()
    }
  }
}
