import type { Accounts } from '../contract/storage/stores.js'

/** Milliseconds for which the number of keys is not counted again. */
const countMs = 2000

/** Knows whether a service is used by one person: it has one key at most that is not revoked. */
export class PersonalUse {
  #keys = 0
  #countedAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly accounts: Pick<Accounts, 'list'>,
    /** Milliseconds from any moment that never go back. */
    private readonly monotonicMs: () => number,
  ) {
    void this.count()
  }

  /** Counts the keys. While the store cannot be read, the last number counts. */
  async count(): Promise<void> {
    this.#countedAt = this.monotonicMs()
    const list = await this.accounts.list().catch(() => undefined)
    if (list) this.#keys = list.accounts.filter(({ revoked }) => revoked === undefined).length
  }

  /** Why what is for personal use may not be given; undefined where it may. It may be some seconds old. */
  refusal(): string | undefined {
    if (this.monotonicMs() - this.#countedAt > countMs) void this.count()
    return this.#keys > 1
      ? "Yahoo's terms allow personal use only, and this service has more than one key; see STOCKS_SOURCES and STOCKS_YAHOO_SHARED"
      : undefined
  }
}
