import { isDeepStrictEqual } from 'node:util'
import { endOf } from '../candles/timeframe.js'
import { Calculator } from '../compute/kernels/calculator.js'
import { marketKey } from '../contract/market.js'
import type { AlertCommit, AlertFire, AlertState, StoredAlert } from '../contract/storage/alerts.js'
import { afterTurn, scheduler } from '../runtime/scheduler.js'
import { type Alert, marketOf, readAlert, writeAlert } from './alert.js'
import { Deliveries, type Delivery, readDelivery, writeDeadLetter, writeDelivery } from './deliveries.js'
import { type Evaluation, MarketWatch, Plans, type WatchHost } from './market-watch.js'
import { attempt, contentOf } from './message.js'
import type { RunnerOptions } from './runner-options.js'

/** The share of `maxPending` that one account may use. */
const accountShare = 0.2

/** Runs all alerts: evaluates them, stores what they fire, and delivers it. */
export class Runner {
  readonly #options: RunnerOptions
  readonly #alerts = new Map<string, Alert>()
  /** What is stored of each alert. */
  readonly #texts = new Map<string, string>()
  readonly #fired: Map<string, number>
  readonly #checkpoints: Map<string, number>
  /** By the key of the market. */
  readonly #watches = new Map<string, MarketWatch>()
  readonly #plans = new Plans()
  readonly #commits: Commits
  readonly #deliveries: Deliveries
  /** The greatest number of a delivery that this process knows. */
  #lastNumber = 0
  /** Whether a transaction failed whose deliveries may have been stored. */
  #mayLackDeliveries = false
  readonly #watchHost: WatchHost
  /** Accounts that may have deliveries which are not to be sent any more. */
  #toSettle = new Set<string>()
  #isClosed = false
  /** The latest time after which an alert looks at candles. */
  #newestSince = Number.NEGATIVE_INFINITY

  constructor(options: RunnerOptions, { alerts, fired, checkpoints, due }: AlertState) {
    this.#options = options
    this.#fired = new Map(fired)
    this.#checkpoints = new Map(checkpoints)
    const { store, onFault } = options
    this.#commits = new Commits(commit => store.commit(commit))
    this.#deliveries = new Deliveries({
      ...options,
      alert: id => this.#wanted(id),
      // While it cannot be looked up, what was known counts.
      isWanted: async ({ account }) => !(await options.findRevoked(account).catch(() => false)),
      attempt: ({ stored, id, body }, alert, signal) =>
        attempt(options, { number: stored.number, id, body }, alert, signal),
      acknowledge: deliveries => store.acknowledge(deliveries.map(({ stored }) => stored)),
      deadLetter: ({ stored }, deadText) => store.deadLetter(stored, deadText),
      onFault: error => onFault(error),
    })
    this.#watchHost = {
      ...options,
      plans: this.#plans,
      calculator: new Calculator(),
      scheduler: scheduler,
      firedAt: id => this.#fired.get(id),
      checkpointOf: market => this.#checkpoints.get(market),
      isActive: alert => this.#alerts.get(alert.id) === alert && !options.isRevoked(alert.account),
      commit: evaluation => this.#commit(evaluation),
    }
    for (const stored of alerts) this.#read(() => this.set(readAlert(stored), stored))
    for (const stored of due) this.#read(() => this.#deliver(readDelivery(stored)))
  }

  get size(): number {
    return this.#alerts.size
  }

  get pending(): number {
    return this.#deliveries.size
  }

  /** Expressions that are evaluated: one for each that is used over a market. */
  get conditions(): number {
    let count = 0
    for (const watch of this.#watches.values()) count += watch.conditions
    return count
  }

  get accounts(): ReadonlySet<string> {
    return new Set([...this.#alerts.values()].map(({ account }) => account))
  }

  /** Alerts over the symbols of an exchange with some quote, each at one market. */
  get listedByQuote(): readonly Alert[] {
    const isListed = ({ subject }: Alert) => subject.kind === 'screen' && subject.quote !== undefined
    return [...this.#alerts.values()].filter(isListed)
  }

  /** Whether something that an alert has fired was not delivered yet. */
  isDue(id: string): boolean {
    return this.#deliveries.has(id)
  }

  /** Whether all markets are followed, and what they bring is stored. */
  get isWell(): boolean {
    return [...this.#watches.values()].every(({ failure }) => failure === undefined)
  }

  /** Adds an alert, or changes it; `text` is what is stored of it. */
  set(made: Alert, { text }: Pick<StoredAlert, 'text'> = writeAlert(made)): void {
    const alert = this.#notOfFuture(made)
    this.#newestSince = Math.max(this.#newestSince, alert.since)
    const before = this.#alerts.get(alert.id)
    if (before) this.#unwatch(before)
    this.#alerts.set(alert.id, alert)
    this.#texts.set(alert.id, text)
    if (alert.paused) {
      this.settleUnwanted(alert.account)
      return
    }
    const market = marketOf(alert)
    const key = marketKey(market)
    const watch = this.#watches.get(key) ?? new MarketWatch(market, this.#watchHost)
    this.#watches.set(key, watch)
    watch.set(alert)
  }

  remove(id: string): void {
    const alert = this.#alerts.get(id)
    if (!alert) return
    this.#alerts.delete(id)
    this.#texts.delete(id)
    this.#fired.delete(id)
    this.#unwatch(alert)
    this.settleUnwanted(alert.account)
  }

  /** Settles what alerts of an account have fired that are gone or paused, or all where its key was revoked. */
  settleUnwanted(account: string): void {
    this.#toSettle.add(account)
    if (this.#toSettle.size > 1) return
    // Once for all that change together.
    afterTurn(() => {
      const accounts = this.#toSettle
      this.#toSettle = new Set()
      if (!this.#isClosed) void this.#deliveries.settleUnwanted(accounts)
    })
  }

  /** Takes over what other processes have changed. */
  async reload(): Promise<void> {
    const stored = await this.#options.store.list()
    if (this.#isClosed) return
    const ids = new Set(stored.map(({ id }) => id))
    for (const id of this.#alerts.keys()) if (!ids.has(id)) this.remove(id)
    for (const each of stored) {
      const text = this.#texts.get(each.id)
      if (each.text === text) continue
      this.#read(() => {
        const alert = readAlert(each)
        // The same alert may be written in another order.
        if (text !== undefined && isDeepStrictEqual(alert, readAlert({ ...each, text })))
          this.#texts.set(each.id, each.text)
        else this.set(alert, each)
      })
    }
  }

  /** To be called every second: alerts that were made while the clock was ahead do not wait until it shows that time again. */
  correctTimes(): void {
    const now = this.#options.clock()
    if (this.#newestSince <= now) return
    this.#newestSince = now
    for (const alert of [...this.#alerts.values()])
      if (alert.since > now) this.set(alert, { text: this.#texts.get(alert.id) as string })
  }

  /** Removes the checkpoints of markets that no alert is about any more, and what their expressions compiled to. */
  async forgetUnused(): Promise<void> {
    this.#plans.sweep()
    const used = new Set([...this.#alerts.values()].map(alert => marketKey(marketOf(alert))))
    const unused = [...this.#checkpoints.keys()].filter(market => !used.has(market))
    if (unused.length === 0) return
    for (const market of unused) this.#checkpoints.delete(market)
    await this.#options.store.forget(unused)
  }

  wake(account: string): void {
    this.#deliveries.wake(account)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const watch of this.#watches.values()) watch.close()
    this.#watches.clear()
    await this.#deliveries.close()
  }

  /** An alert that was made while the clock was ahead looks at the candles that were not evaluated yet. */
  #notOfFuture(alert: Alert): Alert {
    const now = this.#options.clock()
    if (alert.since <= now) return alert
    const market = marketOf(alert)
    const checkpoint = this.#checkpoints.get(marketKey(market)) ?? now
    return { ...alert, since: Math.min(now, endOf(market.timeframe, checkpoint)) }
  }

  /** The alert of an id, unless what it fires is not to be sent. */
  #wanted(id: string): Alert | undefined {
    const alert = this.#alerts.get(id)
    return alert && !alert.paused && !this.#options.isRevoked(alert.account) ? alert : undefined
  }

  #unwatch(alert: Alert): void {
    const key = marketKey(marketOf(alert))
    const watch = this.#watches.get(key)
    watch?.remove(alert)
    if (!watch?.isEmpty) return
    watch.close()
    this.#watches.delete(key)
  }

  /** What is stored in another form than this version knows is left alone. */
  #read(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#options.onFault(error)
    }
  }

  async #commit({ market, checkpoint, voidFires, firings }: Evaluation): Promise<void> {
    if (this.#mayLackDeliveries) await this.#recoverDeliveries()
    const { maxPending } = this.#options
    const maxPerAccount = Math.ceil(maxPending * accountShare)
    let total = this.#deliveries.size
    const pending = new Map<string, number>()
    const contents = firings.map(firing => contentOf(firing, this.#options.clock()))
    const fires = firings.map(({ alert: { id, account }, candle }, at): AlertFire => {
      const content = contents[at] as ReturnType<typeof contentOf>
      const waiting = (pending.get(account) ?? this.#deliveries.sizeOf(account)) + 1
      const isDead = waiting > maxPerAccount || total >= maxPending
      const reason =
        waiting > maxPerAccount
          ? `${maxPerAccount} messages of the key wait already`
          : `${maxPending} messages wait already`
      if (!isDead) {
        pending.set(account, waiting)
        total++
      }
      const text = isDead ? writeDeadLetter(content, reason, 0, content.created) : writeDelivery(content)
      return { alert: id, account, candle, text, isDead }
    })
    const checkpoints = new Map(checkpoint === undefined ? [] : [[market, checkpoint]])
    const numbers = await this.#commits.add({ checkpoints, voidFires, fires }).catch(error => {
      this.#mayLackDeliveries = true
      throw error
    })
    if (this.#isClosed) return
    if (checkpoint !== undefined) this.#checkpoints.set(market, checkpoint)
    for (const { alert, after } of voidFires) this.#fired.set(alert, after)
    this.#options.onFired(fires.length)
    for (const [at, { alert, account, candle, text, isDead }] of fires.entries()) {
      this.#fired.set(alert, Math.max(candle, this.#fired.get(alert) ?? candle))
      const number = numbers[at]
      if (isDead) this.#options.onOutcome('dead')
      if (number !== undefined) this.#deliver(readDelivery({ number, account, text }))
    }
  }

  /** Reads what a transaction has stored whose outcome this process does not know. */
  async #recoverDeliveries(): Promise<void> {
    const { fired, due } = await this.#options.store.state()
    this.#mayLackDeliveries = false
    for (const [alert, candle] of fired) this.#fired.set(alert, candle)
    for (const stored of due)
      if (stored.number > this.#lastNumber) this.#read(() => this.#deliver(readDelivery(stored)))
  }

  #deliver(delivery: Delivery): void {
    this.#lastNumber = Math.max(this.#lastNumber, delivery.stored.number)
    this.#deliveries.add(delivery)
  }
}

interface Part extends AlertCommit {
  readonly resolve: (numbers: readonly (number | undefined)[]) => void
  readonly fail: (error: unknown) => void
}

/** Fires of one transaction at most. */
const maxFires = 1000

/** Stores what several markets bring at the same time in one transaction: candles of all of them close together. */
export class Commits {
  readonly #store: (commit: AlertCommit) => Promise<readonly (number | undefined)[]>
  #waiting: Part[] = []
  #isRunning = false

  constructor(store: (commit: AlertCommit) => Promise<readonly (number | undefined)[]>) {
    this.#store = store
  }

  /** Answers the numbers of the deliveries by fire. */
  add(commit: AlertCommit): Promise<readonly (number | undefined)[]> {
    return new Promise((resolve, fail) => {
      this.#waiting.push({ ...commit, resolve, fail })
      if (this.#isRunning) return
      this.#isRunning = true
      afterTurn(() => void this.#run())
    })
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) await this.#storeSome(this.#take())
    this.#isRunning = false
  }

  /** The parts that have waited the longest. */
  #take(): readonly Part[] {
    let fires = 0
    const end = this.#waiting.findIndex((part, at) => {
      fires += part.fires.length
      return fires > maxFires && at > 0
    })
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end)
  }

  async #storeSome(parts: readonly Part[]): Promise<void> {
    const checkpoints = new Map<string, number>()
    for (const part of parts)
      for (const [market, checkpoint] of part.checkpoints) checkpoints.set(market, checkpoint)
    const voidFires = parts.flatMap(part => part.voidFires ?? [])
    const fires: AlertFire[] = parts.flatMap(part => part.fires)
    try {
      const numbers = await this.#store({ checkpoints, voidFires, fires })
      let from = 0
      for (const { fires: own, resolve } of parts) {
        resolve(numbers.slice(from, from + own.length))
        from += own.length
      }
    } catch (error) {
      for (const { fail } of parts) fail(error)
    }
  }
}
