import { addCounts } from '../contract/accounts.js'
import {
  type AddFailure,
  type AlertBounds,
  type AlertCommit,
  type AlertHistory,
  type AlertLease,
  type AlertState,
  type AlertStore,
  maxDeadLetters,
  type StoredAlert,
  type StoredDelivery,
} from '../contract/storage/alerts.js'
import type { ListStore, RequestCounts, StoredList, UsageStore } from '../contract/storage/stores.js'
import {
  changeRows,
  type Row,
  type RowChanges,
  type Rows,
  type RowTransaction,
  rowsIn,
  under,
} from './rows.js'

/** Connection to the other processes that use the same alerts. */
export interface AlertPeers {
  /** Whether a change of this process is marked, so that the process that runs the alerts reads them again. */
  readonly marksChanges: boolean
  /** Takes or renews the right to run the alerts. Resolves with whether this process has it. */
  lease(): Promise<boolean>
  release(): Promise<void>
  /** Sends a text to all processes, including this process. */
  send(text: string): void
  listen(listener: (text: string) => void): void
}

/** Peers of a single process: it holds the lease and receives its own texts. */
function noPeers(): AlertPeers {
  let listener: (text: string) => void = () => {}
  return {
    marksChanges: false,
    lease: async () => true,
    async release() {},
    send: text => listener(text),
    listen: next => {
      listener = next
    },
  }
}

const alertKey = (account: string, id: string) => `alert/${account}/${id}`
const firedKey = (id: string) => `fired/${id}`
const checkpointKey = (market: string) => `mark/${market}`
/** Pads a number, so that keys sort in the order of the numbers. */
const numbered = (number: number) => String(number).padStart(16, '0')
const dueKey = (number: number) => `due/${numbered(number)}`
const deadPrefix = (account: string) => `dead/${account}/`
/** Key of the greatest number of a delivery or a dead letter. */
const lastKey = 'last'
/** Key of the number of marked changes. */
const versionKey = 'version'

const readDue = (text: string) => JSON.parse(text) as StoredDelivery

export const alertOf = ({ key, text }: Row): StoredAlert => {
  const [, account = '', id = ''] = key.split('/')
  return { id, account, text }
}

/** Values of rows that are numbers, by the rest of the key after a prefix. */
const numbersOf = (rows: readonly Row[], prefix: string): Map<string, number> =>
  new Map(rows.map(({ key, text }) => [key.slice(prefix.length), Number(text)]))

/** Row with the greatest number of a delivery or a dead letter in rows. */
export function lastRowOf(rows: readonly Row[]): Row {
  let last = 0
  for (const { key, text } of rows)
    if (/^(due|dead)\//.test(key)) last = Math.max(last, Number(key.slice(key.lastIndexOf('/') + 1)))
    else if (key === lastKey) last = Math.max(last, Number(text))
  return { key: lastKey, text: String(last) }
}

class AlertRows implements AlertStore {
  readonly #peers: AlertPeers
  /** Change that marks the alerts as changed, if there are peers to read it. */
  readonly #mark: RowChanges

  constructor(
    private readonly rows: Rows,
    peers = noPeers(),
  ) {
    this.#peers = peers
    this.#mark = new Map(peers.marksChanges ? [[versionKey, 1]] : [])
  }

  async add(
    alerts: readonly StoredAlert[],
    { perAccount, total }: AlertBounds,
    beside?: StoredAlert,
  ): Promise<AddFailure | undefined> {
    const added = alerts.length
    const ofAccount = { range: under(alertKey(alerts[0]?.account ?? '', '')), atMost: perAccount - added }
    const ofAll = { range: under('alert/'), atMost: total - added }
    const present = beside ? [{ key: alertKey(beside.account, beside.id), text: beside.text }] : []
    const changes = alerts.map(({ id, account, text }) => [alertKey(account, id), text] as const)
    const conditions = [...present, ofAccount, ofAll]
    const failed = await this.rows.write(new Map([...this.#mark, ...changes]), conditions)
    if (failed === undefined) return undefined
    return failed === ofAccount ? 'account' : failed === ofAll ? 'total' : 'beside'
  }

  replace(alerts: readonly StoredAlert[]): Promise<boolean> {
    return this.#change(async rows => {
      const keys = alerts.map(({ id, account }) => alertKey(account, id))
      await rows.read(keys)
      if (keys.some(key => rows.get(key) === undefined)) return false
      for (const [at, { text }] of alerts.entries()) rows.put(keys[at] as string, text)
      return true
    })
  }

  remove(account: string, ids: readonly string[]): Promise<boolean> {
    return this.#change(async rows => {
      await rows.read(ids.map(id => alertKey(account, id)))
      const present = ids.filter(id => rows.get(alertKey(account, id)) !== undefined)
      for (const id of present) {
        rows.remove(alertKey(account, id))
        rows.remove(firedKey(id))
      }
      return present.length > 0
    })
  }

  async parts(account: string, id: string): Promise<readonly StoredAlert[]> {
    const [text] = await this.rows.get([alertKey(account, id)])
    const parts = (await rowsIn(this.rows, under(`${alertKey(account, id)}:`))).map(alertOf)
    return text === undefined ? parts : [{ id, account, text }, ...parts]
  }

  async list(account?: string): Promise<readonly StoredAlert[]> {
    const prefix = account === undefined ? 'alert/' : alertKey(account, '')
    return (await rowsIn(this.rows, under(prefix))).map(alertOf)
  }

  async fired(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const texts = await this.rows.get(ids.map(firedKey))
    return new Map(ids.flatMap((id, at) => (texts[at] === undefined ? [] : [[id, Number(texts[at])]])))
  }

  async state(): Promise<AlertState> {
    const [alerts, fired, checkpoints, due] = await Promise.all(
      (['alert/', 'fired/', 'mark/', 'due/'] as const).map(prefix => rowsIn(this.rows, under(prefix))),
    )
    return {
      alerts: (alerts ?? []).map(alertOf),
      fired: numbersOf(fired ?? [], 'fired/'),
      checkpoints: numbersOf(checkpoints ?? [], 'mark/'),
      due: (due ?? []).map(({ text }) => readDue(text)),
    }
  }

  commit({ checkpoints, voidFires = [], fires }: AlertCommit): Promise<readonly (number | undefined)[]> {
    return changeRows(this.rows, async rows => {
      await rows.read([
        ...voidFires.map(({ alert }) => firedKey(alert)),
        ...fires.flatMap(({ account, alert }) => [alertKey(account, alert), firedKey(alert)]),
      ])
      for (const [market, checkpoint] of checkpoints) rows.put(checkpointKey(market), String(checkpoint))
      for (const { alert, candle, after } of voidFires)
        if (rows.get(firedKey(alert)) === String(candle)) rows.put(firedKey(alert), String(after))
      const counted = fires.map(
        ({ account, alert, candle }) =>
          rows.get(alertKey(account, alert)) !== undefined && raise(rows, firedKey(alert), candle),
      )
      const first = await takeNumbers(rows, counted.filter(Boolean).length)
      let number = first
      const numbers: (number | undefined)[] = []
      const dead = new Map<string, Row[]>()
      for (const [at, { account, text, isDead }] of fires.entries()) {
        numbers.push(counted[at] && !isDead ? number : undefined)
        if (!counted[at]) continue
        if (isDead) dead.set(account, [...(dead.get(account) ?? []), deadLetterOf(account, number, text)])
        else putDue(rows, { number, account, text })
        number++
      }
      for (const [account, letters] of dead) await this.#addDead(rows, account, letters)
      return numbers
    })
  }

  async forget(markets: readonly string[]): Promise<void> {
    await this.rows.write(new Map(markets.map(market => [checkpointKey(market), undefined])))
  }

  async acknowledge(deliveries: readonly StoredDelivery[]): Promise<void> {
    await this.rows.write(new Map(deliveries.map(({ number }) => [dueKey(number), undefined])))
  }

  deadLetter({ number, account }: StoredDelivery, deadText: string): Promise<void> {
    return changeRows(this.rows, async rows => {
      const key = dueKey(number)
      await rows.read([key])
      if (rows.get(key) === undefined) return
      rows.remove(key)
      await this.#addDead(rows, account, [deadLetterOf(account, number, deadText)])
    })
  }

  async deadLetters(account: string): Promise<readonly string[]> {
    return (await rowsIn(this.rows, under(deadPrefix(account)))).map(({ text }) => text).reverse()
  }

  restore({ id, account, text }: StoredAlert, { fired, due, dead }: AlertHistory): Promise<void> {
    return this.#change(async rows => {
      rows.put(alertKey(account, id), text)
      if (fired !== undefined) {
        await rows.read([firedKey(id)])
        raise(rows, firedKey(id), fired)
      }
      const first = await takeNumbers(rows, due.length + dead.length)
      for (const [at, each] of due.entries()) putDue(rows, { number: first + at, account, text: each })
      const letters = dead.map((each, at) => deadLetterOf(account, first + due.length + at, each))
      await this.#addDead(rows, account, letters)
    })
  }

  async lease(): Promise<AlertLease> {
    const isHeld = await this.#peers.lease()
    const [version = '0'] = await this.rows.get([versionKey])
    return { isHeld, version: Number(version) }
  }

  release(): Promise<void> {
    return this.#peers.release()
  }

  send(text: string): void {
    this.#peers.send(text)
  }

  listen(listener: (text: string) => void): void {
    this.#peers.listen(listener)
  }

  #change<Result>(work: (rows: RowTransaction) => Promise<Result>): Promise<Result> {
    return changeRows(this.rows, work, this.#mark)
  }

  /** Adds dead letters of an account, oldest first. Drops the oldest ones if there are too many. */
  async #addDead(rows: RowTransaction, account: string, letters: readonly Row[]): Promise<void> {
    const kept = letters.slice(-maxDeadLetters)
    for (const { key, text } of kept) rows.put(key, text)
    const range = under(deadPrefix(account))
    const excess = kept.length + (await this.rows.count(range)) - maxDeadLetters
    if (excess > 0)
      for (const { key } of await rowsIn(this.rows, { ...range, limit: excess })) rows.remove(key)
  }
}

const deadLetterOf = (account: string, number: number, text: string): Row => ({
  key: deadPrefix(account) + numbered(number),
  text,
})

const putDue = (rows: RowTransaction, delivery: StoredDelivery): void =>
  rows.put(dueKey(delivery.number), JSON.stringify(delivery))

/** Takes the next `count` numbers of deliveries. Returns the first one. */
async function takeNumbers(rows: RowTransaction, count: number): Promise<number> {
  if (count === 0) return 0
  await rows.read([lastKey])
  const last = Number(rows.get(lastKey) ?? 0)
  rows.put(lastKey, String(last + count))
  return last + 1
}

/** Puts a number unless the row has the same or a greater one. Returns whether the number was put. */
function raise(rows: RowTransaction, key: string, value: number): boolean {
  const present = rows.get(key)
  if (present !== undefined && Number(present) >= value) return false
  rows.put(key, String(value))
  return true
}

const listKey = (account: string, name: string) => `list/${account}/${name}`

const listOf = ({ key, text }: Row): StoredList => {
  const [, account = '', name = ''] = key.split('/')
  return { account, name, text }
}

class ListRows implements ListStore {
  constructor(private readonly rows: Rows) {}

  async put({ account, name, text }: StoredList, most: number): Promise<boolean> {
    const key = listKey(account, name)
    for (;;) {
      const [present] = await this.rows.get([key])
      const room = { range: under(listKey(account, '')), atMost: Math.min(most, 1e9) - 1 }
      const conditions = [{ key, text: present }, ...(present === undefined ? [room] : [])]
      const failed = await this.rows.write(new Map([[key, text]]), conditions)
      if (failed === undefined || failed === room) return failed === undefined
    }
  }

  async find(account: string, name: string): Promise<string | undefined> {
    const [text] = await this.rows.get([listKey(account, name)])
    return text
  }

  remove(account: string, name: string): Promise<boolean> {
    return changeRows(this.rows, async rows => {
      const key = listKey(account, name)
      await rows.read([key])
      const isPresent = rows.get(key) !== undefined
      rows.remove(key)
      return isPresent
    })
  }

  async list(account?: string): Promise<readonly StoredList[]> {
    const prefix = account === undefined ? 'list/' : listKey(account, '')
    return (await rowsIn(this.rows, under(prefix))).map(listOf)
  }
}

const usageKey = (day: string, account: string) => `usage/${day}/${account}`

/** Maximum number of expired usage rows that one addition removes. */
const removedAtOnce = 500

/** Requests of all accounts in rows. Several processes add to the counts. */
class UsageRows implements UsageStore {
  constructor(private readonly rows: Rows) {}

  add(day: string, requests: ReadonlyMap<string, RequestCounts>, first?: string): Promise<void> {
    return changeRows(this.rows, async rows => {
      await rows.read([...requests.keys()].map(account => usageKey(day, account)))
      for (const [account, counts] of requests) {
        const key = usageKey(day, account)
        const before = rows.get(key)
        rows.put(key, JSON.stringify(addCounts(before === undefined ? {} : JSON.parse(before), counts)))
      }
      if (first === undefined) return
      const old = { from: 'usage/', to: usageKey(first, ''), limit: removedAtOnce }
      for (const { key } of await rowsIn(this.rows, old)) rows.remove(key)
    })
  }

  countOfDay(day: string): Promise<number> {
    return this.rows.count(under(usageKey(day, '')))
  }

  async ofDay(day: string, offset = 0, limit?: number): Promise<ReadonlyMap<string, RequestCounts>> {
    const found = new Map<string, RequestCounts>()
    const prefix = usageKey(day, '')
    for await (const slice of this.rows.slices({ ...under(prefix), offset, limit }))
      for (const { key, text } of slice) found.set(key.slice(prefix.length), JSON.parse(text))
    return found
  }

  async ofAccount(account: string, days: readonly string[]): Promise<ReadonlyMap<string, RequestCounts>> {
    const texts = await this.rows.get(days.map(day => usageKey(day, account)))
    return new Map(days.flatMap((day, at) => (texts[at] === undefined ? [] : [[day, JSON.parse(texts[at])]])))
  }
}

/** Creates the stores that share the rows of alerts. `rowsFor` receives what error texts call the rows. */
export const rowStores = (rowsFor: (what: string) => Rows, peers?: AlertPeers) => ({
  alerts: new AlertRows(rowsFor('alerts'), peers),
  lists: new ListRows(rowsFor('lists')),
  usage: new UsageRows(rowsFor('the usage of keys')),
})
