import { type Account, isActive } from '../contract/account.js'
import { tooManyExpressions } from '../contract/expression-refusals.js'
import { maxAlertMarkets, maxExpressionBytes } from '../contract/limits.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import { alertNotFound, tooManyAlerts, tooManyAlertsForKey } from '../contract/screen-refusals.js'
import type { AlertBounds, AlertState, AlertStore, StoredAlert } from '../contract/storage/alerts.js'
import type { Accounts, StoreFailure } from '../contract/storage/stores.js'
import type { ExchangeLookup } from '../markets/exchanges/registry.js'
import { findExchange, symbolsOfQuote } from '../markets/history/market-data.js'
import { inSlices } from '../runtime/scheduler.js'
import {
  type Alert,
  type AlertRequest,
  alertIdForm,
  createAlert,
  extendAlert,
  groupAlerts,
  readAlert,
  type WholeAlert,
  writeAlert,
} from './alert.js'
import { attempt, testOf } from './message.js'
import { Runner } from './runner.js'
import type { RunnerOptions } from './runner-options.js'
import { type SendToAccount, StreamDelivery } from './stream-delivery.js'

type Counted = Pick<Alert, 'expression' | 'expressionBytes' | 'stateBytes' | 'subject'>

/**
 * Bytes of memory that the expressions of an account's alerts take together with `added`, about. What an expression compiles
 * to counts once for each timeframe, what it keeps of its candles once for each market.
 */
export async function expressionBytesWith(
  store: Pick<AlertStore, 'list'>,
  account: string,
  added: readonly Counted[],
): Promise<number> {
  const counted = new Set<string>()
  let sum = 0
  const count = (key: string, bytes = 0) => {
    if (!counted.has(key)) sum += bytes
    counted.add(key)
  }
  const add = ({ expression, expressionBytes, stateBytes, subject }: Counted) => {
    const { exchange, symbol, timeframe } = subject
    count(`${timeframe} ${expression}`, expressionBytes)
    count(`${timeframe} ${exchange}:${symbol} ${expression}`, stateBytes)
  }
  for (const alert of added) add(alert)
  // Nothing else of them is looked at: an account may have thousands.
  const read = ({ text }: StoredAlert): Counted => JSON.parse(text)
  for await (const stored of inSlices('alerts', await store.list(account))) add(read(stored))
  return sum
}

interface Host {
  readonly exchanges: Pick<ExchangeLookup, 'find' | 'ids'>
  readonly store: AlertStore
  /** Whether something that an alert has fired at one market was not delivered yet. */
  isDue(part: string): boolean
  /** Whether the alerts are run by this process no more. */
  isEnded(): boolean
  /** An alert is over one more market, or over one less. */
  onAdded(part: Alert): void
  onRemoved(part: Alert): void
}

/**
 * Brings an alert over the symbols with some quote up to date: adds the markets that its exchange lists now, as far as
 * the bounds allow, and removes those that it lists no more once all that they have fired is delivered. Nothing where they
 * cannot be listed at present. `now` in Unix seconds.
 */
export async function followListing(
  host: Host,
  whole: WholeAlert,
  bounds: AlertBounds,
  now: number,
): Promise<void> {
  const listed = await listedOf(host.exchanges, whole)
  if (listed.length === 0 || host.isEnded()) return
  await addNew(host, whole, listed, bounds, now)
  const gone = whole.filter(({ id, subject }) => !listed.includes(subject.symbol) && !host.isDue(id))
  for (const part of gone) {
    await host.store.remove(part.account, [part.id])
    host.onRemoved(part)
  }
}

async function listedOf(
  exchanges: Pick<ExchangeLookup, 'find' | 'ids'>,
  [{ subject }]: WholeAlert,
): Promise<readonly string[]> {
  if (subject.kind !== 'screen' || subject.quote === undefined) return []
  const exchange = findExchange(exchanges, subject.exchange)
  if (isRefusal(exchange)) return []
  const symbols = await symbolsOfQuote(exchange, subject.quote)
  return isRefusal(symbols) ? [] : symbols
}

async function addNew(
  { store, onAdded }: Host,
  whole: WholeAlert,
  listed: readonly string[],
  bounds: AlertBounds,
  now: number,
): Promise<void> {
  const [{ account, id }] = whole
  const known = new Set(whole.map(part => part.subject.symbol))
  const unknown = listed.filter(symbol => !known.has(symbol))
  if (unknown.length === 0) return
  const bytesLeft = maxExpressionBytes - (await expressionBytesWith(store, account, []))
  const expressions = Math.floor(Math.max(0, bytesLeft) / Math.max(1, whole[0].stateBytes ?? 0))
  const room = Math.max(0, Math.min(maxAlertMarkets - whole.length, expressions))
  const added = unknown.slice(0, room)
  // The alert may have been paused or deleted meanwhile: a market is added only to what was read.
  const beside = await store.find(account, id)
  if (!beside) return
  for (const symbol of added) {
    const part = extendAlert(readAlert(beside), symbol, now)
    if ((await store.add([writeAlert(part)], bounds, beside)) !== undefined) return
    onAdded(part)
  }
}

export interface AlertOptions extends Omit<RunnerOptions, 'streams' | 'isRevoked' | 'findRevoked'> {
  readonly accounts: Pick<Accounts, 'findById'>
  /** Alerts of all accounts together. */
  readonly maxAlerts: number
  /** Alerts of one account; undefined for as many as its subscriptions. */
  readonly maxPerAccount: number | undefined
  readonly sendToAccount: SendToAccount
}

/** How often the right to run the alerts is renewed, in milliseconds. */
const renewMs = 1000
/** After so many renewals it is looked at whose keys were revoked. */
const renewalsPerCheck = 30

/** The alerts of all accounts. One process of those that use a store runs them; each can change them. */
export class Alerts {
  readonly #options: AlertOptions
  readonly #store: AlertStore
  readonly #streams: StreamDelivery
  #runner: Runner | undefined
  #version = 0
  #renewals = 0
  /** Accounts with alerts whose keys were revoked. */
  #revoked = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #renewing: Promise<void> | undefined
  #listing: Promise<void> | undefined
  #isClosed = false
  #failure: unknown
  /** Whether the store has failed a request, and no write has succeeded since. */
  #hasFailedRequest = false

  constructor(options: AlertOptions) {
    this.#options = options
    this.#store = options.store
    this.#streams = new StreamDelivery(options.store, options.sendToAccount, account =>
      this.#runner?.wake(account),
    )
  }

  /** What sends e-mail; undefined where nothing does. */
  get mail(): AlertOptions['mail'] {
    return this.#options.mail
  }

  /** Alerts that this process runs. */
  get size(): number {
    return this.#runner?.size ?? 0
  }

  get pending(): number {
    return this.#runner?.pending ?? 0
  }

  get conditions(): number {
    return this.#runner?.conditions ?? 0
  }

  /** Why not all alerts are evaluated at present; undefined where they are. */
  get failure(): string | undefined {
    if (this.#failure !== undefined || this.#hasFailedRequest) return 'the alerts cannot be read or written'
    return this.#runner?.isWell === false ? 'some markets of alerts cannot be followed' : undefined
  }

  /** Begins to run the alerts, where no other process does. Rejects where they cannot be read. */
  async start(): Promise<void> {
    await this.#renew()
    if (this.#failure !== undefined) throw this.#failure
    this.#timer = setInterval(() => void this.#renew(), renewMs)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#renewing
    await this.#stop()
    await this.#store.release()
  }

  /** Stores and runs a new alert. Its request must have been checked. */
  async create(account: Account, request: AlertRequest): Promise<WholeAlert | Refusal> {
    const bounds = this.#boundsOf(account)
    const alert = createAlert(account.id, request, this.#now())
    if ((await expressionBytesWith(this.#store, account.id, alert)) > maxExpressionBytes)
      return tooManyExpressions(maxExpressionBytes, 'alerts')
    const reached = await this.#store.add(alert.map(writeAlert), bounds)
    if (reached === 'account') return tooManyAlertsForKey(bounds.perAccount, alert.length)
    if (reached === 'total') return tooManyAlerts(bounds.total, alert.length)
    for (const part of alert) this.#runner?.set(part)
    return alert
  }

  /** The alerts of an account, the oldest first. */
  async list(account: string): Promise<readonly WholeAlert[]> {
    const parts: Alert[] = []
    for await (const stored of inSlices('alerts', await this.#store.list(account)))
      parts.push(readAlert(stored))
    return groupAlerts(parts)
  }

  /** By the parts of alerts, the newest candles at which they have fired. */
  fired(alerts: readonly WholeAlert[]): Promise<ReadonlyMap<string, number>> {
    return this.#store.fired(alerts.flat().map(({ id }) => id))
  }

  /**
   * Sends a message that is marked as a test to where an alert sends what it fires. Answers why it has not arrived, undefined
   * where it has.
   */
  async sendTest(account: string, id: string, signal: AbortSignal): Promise<string | undefined | Refusal> {
    const alert = (await this.#find(account, id))?.[0]
    if (!alert) return alertNotFound(id)
    const delivery = testOf(alert, this.#now())
    try {
      await attempt({ ...this.#options, streams: this.#streams }, delivery, alert, signal)
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }

  /**
   * What a paused alert has fired is not delivered any more. A resumed one does not look at candles that ended while it was
   * paused.
   */
  async setPaused(account: string, id: string, paused: boolean): Promise<WholeAlert | Refusal> {
    for (;;) {
      const alert = await this.#find(account, id)
      if (!alert) return alertNotFound(id)
      const others = alert.filter(part => part.paused !== paused)
      if (others.length === 0) return alert
      const now = this.#now()
      const changed = others.map(part => ({ ...part, paused, since: paused ? part.since : now }))
      // Where a part has come or gone meanwhile, it is looked at again.
      if (!(await this.#store.replace(changed.map(writeAlert)))) continue
      for (const part of changed) this.#runner?.set(part)
    }
  }

  /** Deletes an alert; what it has fired is not delivered any more. */
  async remove(account: string, id: string): Promise<WholeAlert | Refusal> {
    let removed: WholeAlert | undefined
    for (;;) {
      const alert = await this.#find(account, id)
      if (!alert) return removed ?? alertNotFound(id)
      const ids = alert.map(part => part.id)
      if (await this.#store.remove(account, ids)) removed ??= alert
      for (const part of ids) this.#runner?.remove(part)
    }
  }

  /** What could not be delivered, as JSON texts, the newest first. */
  deadLetters(account: string): Promise<readonly string[]> {
    return this.#store.deadLetters(account)
  }

  /** To be called when a streaming connection of an account begins to ask for alerts. */
  listening(account: string): void {
    this.#streams.listening(account)
  }

  /** To be called with what the store has thrown at a request: it is shown until the store can be written. */
  requestFailed(error: StoreFailure): void {
    if (!this.#hasFailedRequest) this.#options.onFault(error)
    this.#hasFailedRequest = true
  }

  #now(): number {
    return Math.floor(this.#options.clock())
  }

  #boundsOf({ subscriptions }: Account) {
    const { maxAlerts, maxPerAccount = subscriptions } = this.#options
    return { perAccount: maxPerAccount, total: maxAlerts }
  }

  async #find(account: string, id: string): Promise<WholeAlert | undefined> {
    // A part is no alert of its own: its id has another form.
    if (!alertIdForm.test(id)) return undefined
    return groupAlerts((await this.#store.parts(account, id)).map(readAlert))[0]
  }

  async #renew(): Promise<void> {
    if (this.#renewing) return
    this.#renewing = this.#tryToRun().then(() => this.#tryToWrite())
    await this.#renewing
    this.#renewing = undefined
  }

  async #tryToRun(): Promise<void> {
    try {
      this.#runner?.correctTimes()
      const { isHeld, version } = await this.#store.lease()
      if (!isHeld) await this.#stop()
      else if (!this.#runner) await this.#run(version)
      else if (version !== this.#version) {
        await this.#runner.reload()
        this.#version = version
      }
      if (this.#renewals++ % renewalsPerCheck === 0) await this.#check()
      this.#failure = undefined
    } catch (error) {
      // What is fired twice meanwhile, because another process has begun to run them, is stored once.
      this.#failure = error
      this.#options.onFault(error)
    }
  }

  async #tryToWrite(): Promise<void> {
    if (!this.#hasFailedRequest) return
    const isWritten = await this.#store.forget([]).then(
      () => true,
      () => false,
    )
    this.#hasFailedRequest = !isWritten
  }

  async #run(version: number): Promise<void> {
    const state: AlertState = await this.#store.state()
    if (this.#isClosed) return
    this.#version = version
    this.#renewals = 0
    const options = {
      ...this.#options,
      streams: this.#streams,
      isRevoked: (account: string) => this.#revoked.has(account),
      findRevoked: async (account: string) => !this.#isActive(await this.#findAccount(account)),
    }
    this.#runner = new Runner(options, state)
  }

  /** The account of an id. Where its key was revoked, nothing more is sent of it. */
  async #findAccount(id: string): Promise<Account | undefined> {
    const account = await this.#options.accounts.findById(id)
    if (this.#isActive(account)) this.#revoked.delete(id)
    else if (!this.#revoked.has(id)) {
      this.#revoked.add(id)
      this.#runner?.settleUnwanted(id)
    }
    return account
  }

  /** Whether what the alerts of an account fire is sent. One that is not known is not taken for revoked. */
  #isActive(account: Account | undefined): boolean {
    return account === undefined || isActive(account, this.#options.ages.now())
  }

  async #stop(): Promise<void> {
    const runner = this.#runner
    this.#runner = undefined
    await runner?.close()
  }

  /** Looks which accounts were revoked and which markets are new, and drops what is not needed any more. */
  async #check(): Promise<void> {
    if (!this.#runner) return
    const accounts = new Map<string, Account>()
    for (const id of this.#runner.accounts) {
      const account = await this.#findAccount(id)
      if (account && this.#isActive(account)) accounts.set(id, account)
    }
    await this.#runner?.forgetUnused()
    // An exchange may take long to list its symbols; the lease is renewed meanwhile.
    this.#listing ??= this.#followListings(accounts).finally(() => {
      this.#listing = undefined
    })
  }

  /** Brings the alerts over all markets with some quote up to date with what their exchanges list. */
  async #followListings(accounts: ReadonlyMap<string, Account>): Promise<void> {
    const runner = this.#runner
    const isEnded = () => runner !== this.#runner || this.#isClosed
    for (const alert of groupAlerts(runner?.listedByQuote ?? [])) {
      const account = accounts.get(alert[0].account)
      if (!runner || !account || isEnded()) continue
      const host = {
        ...this.#options,
        isEnded,
        isDue: (id: string) => runner.isDue(id),
        onAdded: (part: Alert) => runner.set(part),
        onRemoved: ({ id }: Alert) => runner.remove(id),
      }
      await followListing(host, alert, this.#boundsOf(account), this.#now()).catch(this.#options.onFault)
    }
  }
}
