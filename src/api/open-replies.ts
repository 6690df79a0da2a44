import type { Account } from '../store/store.js'

/** How many requests of each account wait for their reply. Those that are answered at once are not counted. */
export class OpenReplies {
  readonly #counts = new Map<string, number>()

  constructor(readonly maxPerAccount: number) {}

  /** Whether an account has as many as it may have. */
  isFull({ id }: Account): boolean {
    return this.#counts.size > 0 && (this.#counts.get(id) ?? 0) >= this.maxPerAccount
  }

  /** What `settle` makes of a reply that is counted until it is there. */
  settle<Result, Settled>(
    { id }: Account,
    reply: Promise<Result>,
    settle: (result: Result) => Settled | Promise<Settled>,
  ): Promise<Settled> {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1)
    return reply.then(
      result => {
        this.#end(id)
        return settle(result)
      },
      error => {
        this.#end(id)
        throw error
      },
    )
  }

  #end(id: string): void {
    const left = (this.#counts.get(id) ?? 0) - 1
    if (left > 0) this.#counts.set(id, left)
    else this.#counts.delete(id)
  }
}
