/** TTL of lists of markets and symbols, in milliseconds. They change by a few entries a day. */
const listFreshMs = 86_400_000
/** Milliseconds for which a stale value is returned after a failed fetch. */
const staleMs = 60_000

/**
 * A value that is fetched when it is first needed, and again when it is stale. The default TTL is a day, for lists.
 * Concurrent calls share one fetch. If a refetch fails, the stale value is returned for a minute. Before the first
 * success, `get` throws the failure, and the next call fetches again.
 */
export class RefreshedValue<Value> {
  #value: Value | undefined
  #freshUntil = 0
  #fetching: Promise<Value> | undefined
  #lastFetch = Number.NEGATIVE_INFINITY

  /** @param signal aborts when the owner is closed; stale values are not returned after that */
  constructor(
    private readonly fetch: () => Promise<Value>,
    private readonly signal: AbortSignal,
    private readonly freshMs = listFreshMs,
  ) {}

  /** The last fetched value, even if it is stale. Undefined before the first fetch. */
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

  /** Makes the next `get` fetch. */
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
