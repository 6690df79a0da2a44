import { addCounts } from '../../contract/accounts.js'
import {
  type AddFailure,
  type AlertBounds,
  type AlertCommit,
  type AlertFire,
  type AlertHistory,
  type AlertLease,
  type AlertState,
  type AlertStore,
  maxDeadLetters,
  type StoredAlert,
  type StoredDelivery,
} from '../../contract/storage/alerts.js'
import type { ListStore, RequestCounts, StoredList, UsageStore } from '../../contract/storage/stores.js'
import { isJson } from '../../runtime/is-json.js'
import { inSlices } from '../../runtime/scheduler.js'
import type { TextDatabase } from './text-database.js'

/** Connection to the other processes that use the database. */
export interface AlertPeers {
  lease(): AlertLease
  /** Reports that an alert was added, changed or removed. */
  changed(): void
  /** Sends a text to all processes, including this process. */
  send(text: string): void
  listen(listener: (text: string) => void): void
}

/** Peers of a single process: it holds the lease and receives its own texts. */
function noPeers(): AlertPeers {
  let listener: (text: string) => void = () => {}
  return {
    lease: () => ({ isHeld: true, version: 0 }),
    changed() {},
    send: text => listener(text),
    listen: next => {
      listener = next
    },
  }
}

/** Range of the keys with a prefix. The prefix ends with a slash or a colon. */
const under = (prefix: string) => ({
  start: prefix,
  end: prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1),
})

const alertKey = (account: string, id: string) => `alert/${account}/${id}`
const firedKey = (id: string) => `fired/${id}`
const checkpointKey = (market: string) => `mark/${market}`
/** Pads a number, so that keys sort in the order of the numbers. */
const numbered = (number: number) => String(number).padStart(16, '0')
const dueKey = (number: number) => `due/${numbered(number)}`
const deadPrefix = (account: string) => `dead/${account}/`
const lastKey = 'last'

const readDue = (value: string) => JSON.parse(value) as StoredDelivery

const alertOf = ({ key, value }: { readonly key: string; readonly value: string }): StoredAlert => {
  const [, account = '', id = ''] = key.split('/')
  return { id, account, text: value }
}

/**
 * Alerts, lists and usage of keys, read from the entries of the database in key order. The entries may come from a damaged file.
 * `unreadable` counts the entries that cannot be used.
 */
export function alertsOfEntries(entries: Iterable<{ readonly key: string; readonly value: string }>) {
  const alerts: StoredAlert[] = []
  const [fired, checkpoints] = [new Map<string, number>(), new Map<string, number>()]
  const due: StoredDelivery[] = []
  const dead = new Map<string, string[]>()
  const lists: StoredList[] = []
  const usage = new Map<string, Map<string, RequestCounts>>()
  let unreadable = 0
  for (const { key, value } of entries) {
    const [kind, first = '', second = ''] = key.split('/')
    if (kind === 'alert') alerts.push({ id: second, account: first, text: value })
    else if (kind === 'fired' && Number.isFinite(Number(value))) fired.set(first, Number(value))
    else if (kind === 'mark' && Number.isFinite(Number(value)))
      checkpoints.set(key.slice(checkpointKey('').length), Number(value))
    else if (kind === 'due' && isJson(value)) due.push(readDue(value))
    else if (kind === 'dead') dead.set(first, [...(dead.get(first) ?? []), value])
    else if (kind === listKind && isJson(value)) lists.push(listOf(key, value))
    else if (kind === usageKind && isJson(value)) addUsage(usage, first, second, value)
    else if (key !== lastKey) unreadable++
  }
  return { alerts, fired, checkpoints, due, dead, lists, usage, unreadable }
}

/** Alerts in an LMDB database. */
export class EmbeddedAlerts implements AlertStore {
  readonly #db: TextDatabase
  readonly #peers: AlertPeers

  constructor(db: TextDatabase, peers = noPeers()) {
    this.#db = db
    this.#peers = peers
  }

  add(
    alerts: readonly StoredAlert[],
    { perAccount, total }: AlertBounds,
    beside?: StoredAlert,
  ): Promise<AddFailure | undefined> {
    return this.#change(() => {
      if (beside && this.#db.get(alertKey(beside.account, beside.id)) !== beside.text) return 'beside'
      const added = alerts.length
      const prefix = `alert/${alerts[0]?.account}/`
      if (this.#db.count(under(prefix)) + added > perAccount) return 'account'
      if (this.#db.count(under('alert/')) + added > total) return 'total'
      for (const { id, account, text } of alerts) this.#db.put(alertKey(account, id), text)
      return undefined
    })
  }

  replace(alerts: readonly StoredAlert[]): Promise<boolean> {
    return this.#change(() => {
      if (alerts.some(({ id, account }) => this.#db.get(alertKey(account, id)) === undefined)) return false
      for (const { id, account, text } of alerts) this.#db.put(alertKey(account, id), text)
      return true
    })
  }

  remove(account: string, ids: readonly string[]): Promise<boolean> {
    return this.#change(() => {
      const present = ids.filter(id => this.#db.get(alertKey(account, id)) !== undefined)
      for (const id of present) {
        this.#db.remove(alertKey(account, id))
        this.#db.remove(firedKey(id))
      }
      return present.length > 0
    })
  }

  find(account: string, id: string): Promise<StoredAlert | undefined> {
    return this.#read(() => {
      const text = this.#db.get(alertKey(account, id))
      return text === undefined ? undefined : { id, account, text }
    })
  }

  parts(account: string, id: string): Promise<readonly StoredAlert[]> {
    return this.#read(() => {
      const key = alertKey(account, id)
      const text = this.#db.get(key)
      const parts = [...this.#under(`${key}:`)].map(({ rest, value }) => ({
        ...{ id: `${id}:${rest}`, account, text: value },
      }))
      return text === undefined ? parts : [{ id, account, text }, ...parts]
    })
  }

  list(account?: string): Promise<readonly StoredAlert[]> {
    return this.#read(() => this.#listInTurns(account))
  }

  fired(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return this.#read(async () => {
      const fired = new Map<string, number>()
      for await (const id of inSlices('alerts', ids)) {
        const value = this.#db.get(firedKey(id))
        if (value !== undefined) fired.set(id, Number(value))
      }
      return fired
    })
  }

  state(): Promise<AlertState> {
    return this.#read(() => ({
      alerts: [...this.#db.entries(under('alert/'))].map(alertOf),
      fired: this.#numbers('fired/'),
      checkpoints: this.#numbers('mark/'),
      due: [...this.#under('due/')].map(({ value }) => readDue(value)),
    }))
  }

  commit({ checkpoints, voidFires = [], fires }: AlertCommit): Promise<readonly (number | undefined)[]> {
    return this.#write(() => {
      for (const [market, checkpoint] of checkpoints) this.#db.put(checkpointKey(market), String(checkpoint))
      for (const { alert, candle, after } of voidFires)
        if (this.#db.get(firedKey(alert)) === String(candle)) this.#db.put(firedKey(alert), String(after))
      return fires.map(fire => this.#fire(fire))
    })
  }

  forget(markets: readonly string[]): Promise<void> {
    return this.#write(() => {
      for (const market of markets) this.#db.remove(checkpointKey(market))
    })
  }

  acknowledge(deliveries: readonly StoredDelivery[]): Promise<void> {
    return this.#write(() => {
      for (const { number } of deliveries) this.#db.remove(dueKey(number))
    })
  }

  deadLetter({ number, account }: StoredDelivery, deadText: string): Promise<void> {
    return this.#write(() => {
      const key = dueKey(number)
      if (this.#db.get(key) === undefined) return
      this.#db.remove(key)
      this.#deadLetter(account, number, deadText)
    })
  }

  deadLetters(account: string): Promise<readonly string[]> {
    return this.#read(() => [...this.#under(deadPrefix(account))].map(({ value }) => value).reverse())
  }

  restore({ id, account, text }: StoredAlert, { fired, due, dead }: AlertHistory): Promise<void> {
    return this.#change(() => {
      this.#db.put(alertKey(account, id), text)
      if (fired !== undefined) this.#raise(firedKey(id), fired)
      for (const each of due) this.#putDue(this.#nextNumber(), account, each)
      for (const each of dead) this.#deadLetter(account, this.#nextNumber(), each)
    })
  }

  async lease() {
    return this.#peers.lease()
  }

  async release(): Promise<void> {}

  send(text: string): void {
    this.#peers.send(text)
  }

  listen(listener: (text: string) => void): void {
    this.#peers.listen(listener)
  }

  #read<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    return this.#db.read('alerts', work)
  }

  #write<Result>(work: () => Result): Promise<Result> {
    return this.#db.write('alerts', work)
  }

  /** Runs a write that may add, change or remove alerts. */
  async #change<Result>(work: () => Result): Promise<Result> {
    const result = await this.#write(work)
    this.#peers.changed()
    return result
  }

  /** Entries whose keys have a prefix, each with the rest of its key. */
  *#under(prefix: string): Generator<{ rest: string; value: string }> {
    for (const { key, value } of this.#db.entries(under(prefix)))
      yield { rest: key.slice(prefix.length), value }
  }

  async #listInTurns(account: string | undefined): Promise<StoredAlert[]> {
    const alerts: StoredAlert[] = []
    for await (const slice of this.#db.slices(
      'alerts',
      under(account === undefined ? 'alert/' : `alert/${account}/`),
    ))
      alerts.push(...slice.map(alertOf))
    return alerts
  }

  #numbers(prefix: string): Map<string, number> {
    return new Map([...this.#under(prefix)].map(({ rest, value }) => [rest, Number(value)]))
  }

  /** Only within a transaction. Returns whether the value has grown. */
  #raise(key: string, value: number): boolean {
    const present = this.#db.get(key)
    if (present !== undefined && Number(present) >= value) return false
    this.#db.put(key, String(value))
    return true
  }

  /** Only within a transaction. */
  #fire({ alert, account, candle, text, isDead }: AlertFire): number | undefined {
    if (this.#db.get(alertKey(account, alert)) === undefined) return undefined
    if (!this.#raise(firedKey(alert), candle)) return undefined
    const number = this.#nextNumber()
    if (isDead) {
      this.#deadLetter(account, number, text)
      return undefined
    }
    this.#putDue(number, account, text)
    return number
  }

  /** Only within a transaction. */
  #nextNumber(): number {
    const number = Number(this.#db.get(lastKey) ?? 0) + 1
    this.#db.put(lastKey, String(number))
    return number
  }

  /** Only within a transaction. */
  #putDue(number: number, account: string, text: string): void {
    this.#db.put(dueKey(number), JSON.stringify({ number, account, text } satisfies StoredDelivery))
  }

  /** Only within a transaction. Drops the oldest dead letter of the account if there are too many. */
  #deadLetter(account: string, number: number, text: string): void {
    const prefix = deadPrefix(account)
    this.#db.put(prefix + numbered(number), text)
    if (this.#db.count(under(prefix)) <= maxDeadLetters) return
    for (const { rest } of this.#under(prefix)) {
      this.#db.remove(prefix + rest)
      return
    }
  }
}

/** Sorts after all names and accounts, which consist of ASCII letters, digits and underscores. */
const end = '~'
export const listKind = 'list'
const listKey = (account: string, name: string) => `${listKind}/${account}/${name}`

/** Reads a list from an entry of the database. */
export function listOf(key: string, text: string): StoredList {
  const [, account = '', name = ''] = key.split('/')
  return { account, name, text }
}

/** Lists, stored in the database of the alerts. */
export class EmbeddedLists implements ListStore {
  readonly #db: TextDatabase

  constructor(db: TextDatabase) {
    this.#db = db
  }

  put({ account, name, text }: StoredList, most: number): Promise<boolean> {
    const put = () => {
      const key = listKey(account, name)
      const isNew = this.#db.get(key) === undefined
      if (isNew && this.#db.count(listsOf(account)) >= most) return false
      this.#db.put(key, text)
      return true
    }
    return this.#db.write('lists', put, text.length)
  }

  find(account: string, name: string): Promise<string | undefined> {
    return this.#db.read('lists', () => this.#db.get(listKey(account, name)))
  }

  remove(account: string, name: string): Promise<boolean> {
    return this.#db.write('lists', () => {
      const key = listKey(account, name)
      const isThere = this.#db.get(key) !== undefined
      if (isThere) this.#db.remove(key)
      return isThere
    })
  }

  list(account?: string): Promise<readonly StoredList[]> {
    return this.#db.read('lists', () =>
      [...this.#db.entries(listsOf(account))].map(({ key, value }) => listOf(key, value)),
    )
  }
}

const listsOf = (account?: string) => {
  const start = account === undefined ? `${listKind}/` : listKey(account, '')
  return { start, end: `${start}${end}` }
}

export const usageKind = 'usage'
const usageKey = (day: string, account: string) => `${usageKind}/${day}/${account}`
const rangeOf = (day: string) => ({ start: usageKey(day, ''), end: `${usageKey(day, '')}~` })

/** Adds the stored requests of an account to those of a day. */
export function addUsage(
  usage: Map<string, Map<string, RequestCounts>>,
  day: string,
  account: string,
  text: string,
): void {
  const ofDay = usage.get(day) ?? new Map<string, RequestCounts>()
  usage.set(day, ofDay.set(account, JSON.parse(text)))
}

/** Maximum number of expired usage entries that one addition removes. */
const removedAtOnce = 500

/** Requests of all accounts, stored in the database of the alerts. Several processes add to the counts. */
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

  /** Only within a transaction. */
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
