import {
  type AlertBounds,
  type AlertCommit,
  type AlertFire,
  type AlertState,
  type AlertStore,
  maxDeadLetters,
  type StoredAlert,
  type StoredDelivery,
} from './alerts.js'

/** What is used of a database of LMDB with texts under texts, in their order. */
interface TextDatabase {
  get(key: string): string | undefined
  put(key: string, value: string): unknown
  remove(key: string): unknown
  getRange(range: { start: string; end: string }): Iterable<{ key: string; value: string }>
  getKeysCount(range: { start: string; end: string }): number
  /** Resolves when all that `work` has changed is on the disk. */
  transaction<Result>(work: () => Result): Promise<Result>
}

/** The keys that begin with a text that ends with a slash. */
const under = (prefix: string) => ({ start: prefix, end: `${prefix.slice(0, -1)}0` })

const alertKey = (account: string, id: string) => `alert/${account}/${id}`
const firedKey = (id: string) => `fired/${id}`
const markKey = (market: string) => `mark/${market}`
/** In the order of the numbers. */
const numbered = (number: number) => String(number).padStart(16, '0')
const dueKey = (number: number) => `due/${numbered(number)}`
const deadPrefix = (account: string) => `dead/${account}/`
const lastKey = 'last'

/** Alerts in a database of this process alone. `guard` turns what LMDB throws into a StoreFailure. */
export class EmbeddedAlerts implements AlertStore {
  readonly #db: TextDatabase
  readonly #guard: <Result>(action: string, work: () => Promise<Result>) => Promise<Result>
  #listener: (text: string) => void = () => {}

  constructor(
    db: TextDatabase,
    guard: <Result>(action: string, work: () => Promise<Result>) => Promise<Result>,
  ) {
    this.#db = db
    this.#guard = guard
  }

  add({ id, account, text }: StoredAlert, bounds: AlertBounds): Promise<'account' | 'total' | undefined> {
    return this.#write(() => {
      if (this.#db.getKeysCount(under(`alert/${account}/`)) >= bounds.perAccount) return 'account'
      if (this.#db.getKeysCount(under('alert/')) >= bounds.total) return 'total'
      this.#db.put(alertKey(account, id), text)
      return undefined
    })
  }

  replace({ id, account, text }: StoredAlert): Promise<boolean> {
    return this.#write(() => {
      const key = alertKey(account, id)
      if (this.#db.get(key) === undefined) return false
      this.#db.put(key, text)
      return true
    })
  }

  remove(account: string, id: string): Promise<boolean> {
    return this.#write(() => {
      const key = alertKey(account, id)
      if (this.#db.get(key) === undefined) return false
      this.#db.remove(key)
      this.#db.remove(firedKey(id))
      return true
    })
  }

  find(account: string, id: string): Promise<StoredAlert | undefined> {
    return this.#read(() => {
      const text = this.#db.get(alertKey(account, id))
      return text === undefined ? undefined : { id, account, text }
    })
  }

  list(account?: string): Promise<readonly StoredAlert[]> {
    return this.#read(() => this.#alerts(account))
  }

  state(): Promise<AlertState> {
    return this.#read(() => ({
      alerts: this.#alerts(),
      fired: this.#numbers('fired/'),
      marks: this.#numbers('mark/'),
      due: [...this.#under('due/')].map(({ value }) => JSON.parse(value) as StoredDelivery),
    }))
  }

  commit({ marks, fires }: AlertCommit): Promise<readonly (number | undefined)[]> {
    return this.#write(() => {
      for (const [market, mark] of marks) this.#raise(markKey(market), mark)
      return fires.map(fire => this.#fire(fire))
    })
  }

  forget(markets: readonly string[]): Promise<void> {
    return this.#write(() => {
      for (const market of markets) this.#db.remove(markKey(market))
    })
  }

  settle({ number, account }: StoredDelivery, deadText?: string): Promise<void> {
    return this.#write(() => {
      const key = dueKey(number)
      if (this.#db.get(key) === undefined) return
      this.#db.remove(key)
      if (deadText !== undefined) this.#bury(account, number, deadText)
    })
  }

  deadLetters(account: string): Promise<readonly string[]> {
    return this.#read(() => [...this.#under(deadPrefix(account))].map(({ value }) => value).reverse())
  }

  async lease() {
    return { isHeld: true, version: 0 }
  }

  async release(): Promise<void> {}

  send(text: string): void {
    this.#listener(text)
  }

  listen(listener: (text: string) => void): void {
    this.#listener = listener
  }

  #read<Result>(work: () => Result): Promise<Result> {
    return this.#guard('read alerts', async () => work())
  }

  #write<Result>(work: () => Result): Promise<Result> {
    return this.#guard('write alerts', () => this.#db.transaction(work))
  }

  /** The entries of a range with the rest of their keys. */
  *#under(prefix: string): Generator<{ rest: string; value: string }> {
    for (const { key, value } of this.#db.getRange(under(prefix)))
      yield { rest: key.slice(prefix.length), value }
  }

  #alerts(account?: string): StoredAlert[] {
    const prefix = account === undefined ? 'alert/' : `alert/${account}/`
    return [...this.#under(prefix)].map(({ rest, value }) => {
      const [owner, id] = account === undefined ? rest.split('/') : [account, rest]
      return { id: id as string, account: owner as string, text: value }
    })
  }

  #numbers(prefix: string): Map<string, number> {
    return new Map([...this.#under(prefix)].map(({ rest, value }) => [rest, Number(value)]))
  }

  /** Within a transaction. Answers whether the value has grown. */
  #raise(key: string, value: number): boolean {
    const present = this.#db.get(key)
    if (present !== undefined && Number(present) >= value) return false
    this.#db.put(key, String(value))
    return true
  }

  /** Within a transaction. */
  #fire({ alert, account, candle, text, isDead }: AlertFire): number | undefined {
    if (this.#db.get(alertKey(account, alert)) === undefined) return undefined
    if (!this.#raise(firedKey(alert), candle)) return undefined
    const number = Number(this.#db.get(lastKey) ?? 0) + 1
    this.#db.put(lastKey, String(number))
    if (isDead) {
      this.#bury(account, number, text)
      return undefined
    }
    this.#db.put(dueKey(number), JSON.stringify({ number, account, text } satisfies StoredDelivery))
    return number
  }

  /** Within a transaction. Drops the oldest dead letter of the account where it has too many. */
  #bury(account: string, number: number, text: string): void {
    const prefix = deadPrefix(account)
    this.#db.put(prefix + numbered(number), text)
    if (this.#db.getKeysCount(under(prefix)) <= maxDeadLetters) return
    for (const { rest } of this.#under(prefix)) {
      this.#db.remove(prefix + rest)
      return
    }
  }
}
