import { addCounts } from '../../contract/accounts.js'
import type { RequestCounts, UsageStore } from '../../contract/storage/stores.js'
import type { TextDatabase } from './text-database.js'

export const usageKind = 'usage'
const usageKey = (day: string, account: string) => `${usageKind}/${day}/${account}`
const rangeOf = (day: string) => ({ start: usageKey(day, ''), end: `${usageKey(day, '')}~` })

/** Adds what is stored of an account to the requests of a day. */
export function addUsage(
  usage: Map<string, Map<string, RequestCounts>>,
  day: string,
  account: string,
  text: string,
): void {
  const ofDay = usage.get(day) ?? new Map<string, RequestCounts>()
  usage.set(day, ofDay.set(account, JSON.parse(text)))
}

/** Requests of days that are not remembered any more are removed with the others, so many at a time. */
const removedAtOnce = 500

/** The requests of all accounts, beside the alerts in their database. Several processes add to them. */
export class EmbeddedUsage implements UsageStore {
  readonly #db: TextDatabase

  constructor(db: TextDatabase) {
    this.#db = db
  }

  add(day: string, requests: ReadonlyMap<string, RequestCounts>, first?: string): Promise<void> {
    return this.#db.write('the usage of keys', () => this.#add(day, requests, first))
  }

  countOfDay(day: string): Promise<number> {
    return this.#db.read('the usage of keys', () => this.#db.count(rangeOf(day)))
  }

  async ofDay(day: string, offset = 0, limit?: number): Promise<ReadonlyMap<string, RequestCounts>> {
    const found = new Map<string, RequestCounts>()
    const range = { ...rangeOf(day), offset, ...(limit !== undefined && { limit }) }
    for await (const slice of this.#db.slices('the usage of keys', range))
      for (const { key, value } of slice) found.set(key.slice(range.start.length), JSON.parse(value))
    return found
  }

  ofAccount(account: string, days: readonly string[]): Promise<ReadonlyMap<string, RequestCounts>> {
    return this.#db.read(
      'the usage of keys',
      () =>
        new Map(
          days.flatMap(day => {
            const text = this.#db.get(usageKey(day, account))
            return text === undefined ? [] : [[day, JSON.parse(text)] as const]
          }),
        ),
    )
  }

  /** Within a transaction. */
  #add(day: string, requests: ReadonlyMap<string, RequestCounts>, first: string | undefined): void {
    for (const [account, counts] of requests) {
      const key = usageKey(day, account)
      const before = this.#db.get(key)
      this.#db.put(key, JSON.stringify(addCounts(before === undefined ? {} : JSON.parse(before), counts)))
    }
    if (first === undefined) return
    const old = { start: `${usageKind}/`, end: usageKey(first, ''), limit: removedAtOnce }
    for (const { key } of [...this.#db.entries(old)]) this.#db.remove(key)
  }
}
