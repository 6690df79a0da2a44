/** Requests of an account, by what they asked for. */
export type RequestCounts = Readonly<Record<string, number>>

/** Days for which requests are remembered, the present one included. */
export const usageDays = 92

/** How many requests the accounts have made on each day, as YYYY-MM-DD in UTC. Members reject with a StoreFailure. */
export interface UsageStore {
  /** Adds requests to those of a day, by the ids of accounts. It takes some hundred accounts at a time. */
  add(day: string, requests: ReadonlyMap<string, RequestCounts>): Promise<void>
  /** The requests of all accounts on a day, by their ids. */
  ofDay(day: string): Promise<ReadonlyMap<string, RequestCounts>>
  /** The requests of an account on some days, by day; days without any are left out. */
  ofAccount(account: string, days: readonly string[]): Promise<ReadonlyMap<string, RequestCounts>>
}

const secondsOfDay = 86_400

/** The day of a time in Unix seconds. */
export const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

/** So many days, of which a time in Unix seconds is in the last one; the oldest first. */
export const daysUntil = (seconds: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => dayOf(seconds - (count - 1 - at) * secondsOfDay))

/** The first day that is remembered on another one. */
export const firstDayOn = (day: string): string =>
  dayOf(Date.parse(day) / 1000 - (usageDays - 1) * secondsOfDay)

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

/** The requests of some days, of one account or of all: by day, in its order those of all accounts. Rejects with a StoreFailure. */
export async function* usageOf(
  store: UsageStore,
  days: readonly string[],
  account?: string,
): AsyncGenerator<UsageRow> {
  if (account !== undefined) {
    const found = await store.ofAccount(account, days)
    for (const [day, requests] of found) yield { day, id: account, requests }
    return
  }
  for (const day of days) {
    const found = await store.ofDay(day)
    for (const id of [...found.keys()].sort()) yield { day, id, requests: found.get(id) as RequestCounts }
  }
}
