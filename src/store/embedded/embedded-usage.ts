import { addCounts, firstDayOn, type RequestCounts, type UsageStore } from '../usage.js'
import type { TextDatabase } from './text-database.js'

export const usageKind = 'usage'
const keyOf = (day: string, account: string) => `${usageKind}/${day}/${account}`

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

  add(day: string, requests: ReadonlyMap<string, RequestCounts>): Promise<void> {
    return this.#db.write('the usage of keys', () => this.#add(day, requests))
  }

  ofDay(day: string): Promise<ReadonlyMap<string, RequestCounts>> {
    const start = keyOf(day, '')
    return this.#db.read('the usage of keys', () => {
      const found = [...this.#db.entries({ start, end: `${start}~` })]
      return new Map(found.map(({ key, value }) => [key.slice(start.length), JSON.parse(value)]))
    })
  }

  ofAccount(account: string, days: readonly string[]): Promise<ReadonlyMap<string, RequestCounts>> {
    return this.#db.read(
      'the usage of keys',
      () =>
        new Map(
          days.flatMap(day => {
            const text = this.#db.get(keyOf(day, account))
            return text === undefined ? [] : [[day, JSON.parse(text)] as const]
          }),
        ),
    )
  }

  /** Within a transaction. */
  #add(day: string, requests: ReadonlyMap<string, RequestCounts>): void {
    for (const [account, counts] of requests) {
      const key = keyOf(day, account)
      const before = this.#db.get(key)
      this.#db.put(key, JSON.stringify(addCounts(before === undefined ? {} : JSON.parse(before), counts)))
    }
    const old = { start: `${usageKind}/`, end: keyOf(firstDayOn(day), ''), limit: removedAtOnce }
    for (const { key } of [...this.#db.entries(old)]) this.#db.remove(key)
  }
}
