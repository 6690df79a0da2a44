import { inSlices } from '../runtime/scheduler.js'

/** Requests of an account, by what they asked for. */
export type RequestCounts = Readonly<Record<string, number>>

/** Days for which requests are remembered, the present one included. */
export const usageDays = 92

/** How many requests the accounts have made on each day, as YYYY-MM-DD in UTC. Members reject with a StoreFailure. */
export interface UsageStore {
  /**
   * Adds requests to those of a day, by the ids of accounts, some hundred accounts at a time. Forgets days before `first`, some
   * hundred rows at a time; a store that forgets them by a clock of its own ignores it.
   */
  add(day: string, requests: ReadonlyMap<string, RequestCounts>, first?: string): Promise<void>
  /** Number of accounts with requests on a day. */
  countOfDay(day: string): Promise<number>
  /** The requests of at most `limit` accounts on a day, in the order of their ids from `offset` on. */
  ofDay(day: string, offset?: number, limit?: number): Promise<ReadonlyMap<string, RequestCounts>>
  /** The requests of an account on some days, by day; days without any are left out. */
  ofAccount(account: string, days: readonly string[]): Promise<ReadonlyMap<string, RequestCounts>>
}

const secondsOfDay = 86_400

/** The day of a time in Unix seconds. */
export const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

/** So many days, of which a time in Unix seconds is in the last one; the oldest first. */
export const daysUntil = (seconds: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => dayOf(seconds - (count - 1 - at) * secondsOfDay))

/** Age of the first moment that is remembered, in seconds. */
export const usageSeconds = (usageDays - 1) * secondsOfDay

/** The sum of two counts; what cancels out is left out. */
export function addCounts(one: RequestCounts, other: RequestCounts): RequestCounts {
  const sum: Record<string, number> = { ...one }
  for (const [kind, count] of Object.entries(other)) {
    const total = (sum[kind] ?? 0) + count
    if (total === 0) delete sum[kind]
    else sum[kind] = total
  }
  return sum
}

/** What an account asked for on a day. */
export interface UsageRow {
  readonly day: string
  readonly id: string
  readonly requests: RequestCounts
}

interface UsagePage {
  /** The id of the only account of the rows. */
  readonly account?: string | undefined
  /** Number of rows that are skipped, and of those that are read at most. */
  readonly offset?: number
  readonly limit?: number
}

/**
 * The requests of some days, of one account or of all: by day, in its order those of all accounts in the order of their ids. Reads only these
 * rows. Rejects with a StoreFailure.
 */
export async function* usageOf(
  store: UsageStore,
  days: readonly string[],
  { account, offset = 0, limit = Number.POSITIVE_INFINITY }: UsagePage = {},
): AsyncGenerator<UsageRow> {
  if (account !== undefined) {
    const found = [...(await store.ofAccount(account, days))].slice(offset, offset + limit)
    for (const [day, requests] of found) yield { day, id: account, requests }
    return
  }
  let [skipped, left] = [offset, limit]
  for await (const day of inSlices('usage', days)) {
    if (left <= 0) return
    const count = skipped > 0 ? await store.countOfDay(day) : Number.POSITIVE_INFINITY
    if (count <= skipped) {
      skipped -= count
      continue
    }
    const found = await store.ofDay(day, skipped, left)
    skipped = 0
    left -= found.size
    for (const [id, requests] of found) yield { day, id, requests }
  }
}
