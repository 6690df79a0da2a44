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
 * Approximate memory of the expressions of an account's alerts, including `added`, in bytes. A compiled expression
 * counts once per timeframe, its state once per market.
 */
async function expressionBytesWith(
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
  // Reads only the counted fields without validation: an account may have thousands of alerts.
  const read = ({ text }: StoredAlert): Counted => JSON.parse(text)
  for await (const stored of inSlices('alerts', await store.list(account))) add(read(stored))
  return sum
}

/** Symbols of a quote-wide alert that its exchange lists; none if they cannot be listed at present. */
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

export interface AlertOptions extends Omit<RunnerOptions, 'streams' | 'isRevoked' | 'findRevoked'> {
  readonly accounts: Pick<Accounts, 'findById'>
  readonly maxAlerts: number
  /** Maximum number of alerts per account; undefined for its number of subscriptions. */
  readonly maxPerAccount: number | undefined
  readonly sendToAccount: SendToAccount
}

/** Interval at which the lease is renewed, in milliseconds. */
const renewMs = 1000
/** Number of lease renewals between two checks for revoked keys and new markets. */
const renewalsPerCheck = 30

/**
 * The alerts of all accounts. Of the processes that share a store, only the holder of the lease runs alerts; each
 * process can change them.
 */
export class Alerts {
  readonly #store: AlertStore
  readonly #streams: StreamDelivery
  #runner: Runner | undefined
  #version = 0
  #renewals = 0
  /** Accounts that have alerts and a revoked key. */
  #revoked = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #renewing: Promise<void> | undefined
  #listing: Promise<void> | undefined
  #isClosed = false
  #failure: unknown
  /** Whether the store has failed a request and no test write has succeeded since. */
  #hasFailedRequest = false

  constructor(private readonly options: AlertOptions) {
    this.#store = options.store
    this.#streams = new StreamDelivery(options.store, options.sendToAccount, account =>
      this.#runner?.wake(account),
    )
  }

  /** Sender of e-mail; undefined if the service sends none. */
  get mail(): AlertOptions['mail'] {
    return this.options.mail
  }

  get size(): number {
    return this.#runner?.size ?? 0
  }

  get pending(): number {
    return this.#runner?.pending ?? 0
  }

  get conditions(): number {
    return this.#runner?.conditions ?? 0
  }

  /** Reason why some alerts cannot be evaluated at present, or undefined. */
  get failure(): string | undefined {
    if (this.#failure !== undefined || this.#hasFailedRequest) return 'the alerts cannot be read or written'
    return this.#runner?.isWell === false ? 'some markets of alerts cannot be followed' : undefined
  }

  /** Runs the alerts if no other process does. Rejects if they cannot be read. */
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

  /** The alerts of an account, oldest first. */
  async list(account: string): Promise<readonly WholeAlert[]> {
    const parts: Alert[] = []
    for await (const stored of inSlices('alerts', await this.#store.list(account)))
      parts.push(readAlert(stored))
    return groupAlerts(parts)
  }

  /** Newest candle at which each part has fired, by the part's id. */
  fired(alerts: readonly WholeAlert[]): Promise<ReadonlyMap<string, number>> {
    return this.#store.fired(alerts.flat().map(({ id }) => id))
  }

  /**
   * Sends a message marked as a test to the alert's target. Returns the reason of a failure, or undefined after a
   * delivery.
   */
  async sendTest(account: string, id: string, signal: AbortSignal): Promise<string | undefined | Refusal> {
    const alert = (await this.#find(account, id))?.[0]
    if (!alert) return alertNotFound(id)
    const delivery = testOf(alert, this.#now())
    try {
      await attempt({ ...this.options, streams: this.#streams }, delivery, alert, signal)
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }

  /**
   * Pauses or resumes an alert. Pausing drops undelivered fires. A resumed alert ignores candles that ended during the
   * pause.
   */
  async setPaused(account: string, id: string, paused: boolean): Promise<WholeAlert | Refusal> {
    for (;;) {
      const alert = await this.#find(account, id)
      if (!alert) return alertNotFound(id)
      const others = alert.filter(part => part.paused !== paused)
      if (others.length === 0) return alert
      const now = this.#now()
      const changed = others.map(part => ({ ...part, paused, since: paused ? part.since : now }))
      // Retries if a part was added or removed since the read.
      if (!(await this.#store.replace(changed.map(writeAlert)))) continue
      for (const part of changed) this.#runner?.set(part)
    }
  }

  /** Deletes an alert and drops its undelivered fires. */
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

  /** Dead letters as JSON texts, newest first. */
  deadLetters(account: string): Promise<readonly string[]> {
    return this.#store.deadLetters(account)
  }

  /** Must be called when a streaming connection of an account subscribes to alerts. */
  listening(account: string): void {
    this.#streams.listening(account)
  }

  /** Must be called with a store failure of a request. `failure` reports it until a test write succeeds. */
  requestFailed(error: StoreFailure): void {
    if (!this.#hasFailedRequest) this.options.onFault(error)
    this.#hasFailedRequest = true
  }

  #now(): number {
    return Math.floor(this.options.clock())
  }

  #boundsOf({ subscriptions }: Account) {
    const { maxAlerts, maxPerAccount = subscriptions } = this.options
    return { perAccount: maxPerAccount, total: maxAlerts }
  }

  async #find(account: string, id: string): Promise<WholeAlert | undefined> {
    // The ids of parts have another form and must not be found.
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
      // Another process may have started to run the alerts. The store keeps a fire of both processes once.
      this.#failure = error
      this.options.onFault(error)
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
      ...this.options,
      streams: this.#streams,
      isRevoked: (account: string) => this.#revoked.has(account),
      findRevoked: async (account: string) => !this.#isActive(await this.#findAccount(account)),
    }
    this.#runner = new Runner(options, state)
  }

  /** Finds an account by id. If its key was revoked, its deliveries are dropped. */
  async #findAccount(id: string): Promise<Account | undefined> {
    const account = await this.options.accounts.findById(id)
    if (this.#isActive(account)) this.#revoked.delete(id)
    else if (!this.#revoked.has(id)) {
      this.#revoked.add(id)
      this.#runner?.settleUnwanted(id)
    }
    return account
  }

  /** Whether fires of an account are sent. An unknown account is not treated as revoked. */
  #isActive(account: Account | undefined): boolean {
    return account === undefined || isActive(account, this.options.ages.now())
  }

  async #stop(): Promise<void> {
    const runner = this.#runner
    this.#runner = undefined
    await runner?.close()
  }

  /** Checks for revoked keys and newly listed markets, and drops unused state. */
  async #check(): Promise<void> {
    if (!this.#runner) return
    const accounts = new Map<string, Account>()
    for (const id of this.#runner.accounts) {
      const account = await this.#findAccount(id)
      if (account && this.#isActive(account)) accounts.set(id, account)
    }
    await this.#runner?.forgetUnused()
    // Not awaited: listing symbols may be slow, and the lease must be renewed.
    this.#listing ??= this.#followListings(accounts).finally(() => {
      this.#listing = undefined
    })
  }

  /** Adds and removes markets of quote-wide alerts according to the exchanges' symbol lists. */
  async #followListings(accounts: ReadonlyMap<string, Account>): Promise<void> {
    const runner = this.#runner
    for (const alert of groupAlerts(runner?.listedByQuote ?? [])) {
      const account = accounts.get(alert[0].account)
      if (!runner || !account || !this.#runs(runner)) continue
      await this.#followListing(runner, alert, this.#boundsOf(account)).catch(this.options.onFault)
    }
  }

  #runs(runner: Runner): boolean {
    return runner === this.#runner && !this.#isClosed
  }

  /**
   * Adds newly listed markets to an alert within the bounds. Removes a market that is not listed once all its fires are
   * delivered.
   */
  async #followListing(runner: Runner, whole: WholeAlert, bounds: AlertBounds): Promise<void> {
    const listed = await listedOf(this.options.exchanges, whole)
    if (listed.length === 0 || !this.#runs(runner)) return
    const known = new Set(whole.map(part => part.subject.symbol))
    const unknown = listed.filter(symbol => !known.has(symbol))
    if (unknown.length > 0) await this.#addMarkets(runner, whole, unknown, bounds)
    for (const { account, id, subject } of whole) {
      if (listed.includes(subject.symbol) || runner.isDue(id)) continue
      await this.#store.remove(account, [id])
      runner.remove(id)
    }
  }

  async #addMarkets(
    runner: Runner,
    whole: WholeAlert,
    symbols: readonly string[],
    bounds: AlertBounds,
  ): Promise<void> {
    const [{ account, id, stateBytes = 0 }] = whole
    const bytesLeft = maxExpressionBytes - (await expressionBytesWith(this.#store, account, []))
    const expressions = Math.floor(Math.max(0, bytesLeft) / Math.max(1, stateBytes))
    const room = Math.max(0, Math.min(maxAlertMarkets - whole.length, expressions))
    const added = symbols.slice(0, room)
    // The alert may have been paused or deleted during the listing. `add` fails if the stored part has changed since
    // this read.
    const beside = (await this.#store.parts(account, id)).find(part => part.id === id)
    if (!beside) return
    for (const symbol of added) {
      const part = extendAlert(readAlert(beside), symbol, this.#now())
      if ((await this.#store.add([writeAlert(part)], bounds, beside)) !== undefined) return
      runner.set(part)
    }
  }
}
