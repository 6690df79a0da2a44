import { endOf } from '../candles/timeframe.js'
import { marketKey } from '../contract/market.js'
import type {
  AlertCommit,
  AlertFire,
  AlertState,
  AlertStore,
  StoredAlert,
} from '../contract/storage/alerts.js'
import { afterTurn } from '../runtime/scheduler.js'
import { type Alert, marketOf, readAlert, writeAlert } from './alert.js'
import { Deliveries, type Delivery, readDelivery, writeDeadLetter, writeDelivery } from './deliveries.js'
import { type Evaluation, MarketWatch, Plans, type WatchHost } from './market-watch.js'
import { attempt, contentOf } from './message.js'
import type { RunnerOptions } from './runner-options.js'

/** The share of `maxPending` that one account may use. */
const accountShare = 0.2

/** Evaluates all alerts, and stores and delivers their fires. */
export class Runner {
  readonly #alerts = new Map<string, Alert>()
  readonly #texts = new Map<string, string>()
  readonly #fired: Map<string, number>
  readonly #checkpoints: Map<string, number>
  readonly #watches = new Map<string, MarketWatch>()
  readonly #plans = new Plans()
  readonly #commits: Commits
  readonly #deliveries: Deliveries
  /** Greatest delivery number known to this process. */
  #lastNumber = 0
  /** Whether a transaction failed that may have stored its deliveries. */
  #mayLackDeliveries = false
  readonly #watchHost: WatchHost
  /** Accounts that may have unwanted deliveries. */
  #toSettle = new Set<string>()
  #isClosed = false
  #newestSince = Number.NEGATIVE_INFINITY

  constructor(
    private readonly options: RunnerOptions,
    { alerts, fired, checkpoints, due }: AlertState,
  ) {
    this.#fired = new Map(fired)
    this.#checkpoints = new Map(checkpoints)
    const { store, onFault } = options
    this.#commits = new Commits(store)
    this.#deliveries = new Deliveries({
      ...options,
      alert: id => this.#wanted(id),
      // A failed lookup counts as not revoked.
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

  /** Number of evaluated conditions: distinct pairs of expression and market. */
  get conditions(): number {
    let count = 0
    for (const watch of this.#watches.values()) count += watch.conditions
    return count
  }

  get accounts(): ReadonlySet<string> {
    return new Set([...this.#alerts.values()].map(({ account }) => account))
  }

  /** Parts of alerts over all symbols with some quote. */
  get listedByQuote(): readonly Alert[] {
    const isListed = ({ subject }: Alert) => subject.kind === 'screen' && subject.quote !== undefined
    return [...this.#alerts.values()].filter(isListed)
  }

  /** Whether a fire of an alert part is waiting for delivery. */
  isDue(id: string): boolean {
    return this.#deliveries.has(id)
  }

  /** Whether all markets are followed and all their evaluations are stored. */
  get isWell(): boolean {
    return [...this.#watches.values()].every(({ failure }) => failure === undefined)
  }

  /** Adds or changes an alert; `text` is its stored text. */
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

  /** Drops deliveries of an account's deleted and paused alerts, or all deliveries if its key was revoked. */
  settleUnwanted(account: string): void {
    this.#toSettle.add(account)
    if (this.#toSettle.size > 1) return
    // Batches all changes of one turn.
    afterTurn(() => {
      const accounts = this.#toSettle
      this.#toSettle = new Set()
      if (!this.#isClosed) void this.#deliveries.settleUnwanted(accounts)
    })
  }

  /** Applies changes that other processes have stored. */
  async reload(): Promise<void> {
    const stored = await this.options.store.list()
    if (this.#isClosed) return
    const ids = new Set(stored.map(({ id }) => id))
    for (const id of this.#alerts.keys()) if (!ids.has(id)) this.remove(id)
    for (const each of stored)
      if (each.text !== this.#texts.get(each.id)) this.#read(() => this.set(readAlert(each), each))
  }

  /**
   * Must be called every second. Lowers `since` of alerts that were created while the clock was ahead, so they need not
   * wait for that time.
   */
  correctTimes(): void {
    const now = this.options.clock()
    if (this.#newestSince <= now) return
    this.#newestSince = now
    for (const alert of [...this.#alerts.values()])
      if (alert.since > now) this.set(alert, { text: this.#texts.get(alert.id) as string })
  }

  /** Removes checkpoints and compiled expressions that no alert uses. */
  async forgetUnused(): Promise<void> {
    this.#plans.sweep()
    const used = new Set([...this.#alerts.values()].map(alert => marketKey(marketOf(alert))))
    const unused = [...this.#checkpoints.keys()].filter(market => !used.has(market))
    if (unused.length === 0) return
    for (const market of unused) this.#checkpoints.delete(market)
    await this.options.store.forget(unused)
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

  /**
   * The alert with a `since` that is not in the future. If the clock was ahead at its creation, it starts after the
   * last evaluated candle.
   */
  #notOfFuture(alert: Alert): Alert {
    const now = this.options.clock()
    if (alert.since <= now) return alert
    const market = marketOf(alert)
    const checkpoint = this.#checkpoints.get(marketKey(market)) ?? now
    return { ...alert, since: Math.min(now, endOf(market.timeframe, checkpoint)) }
  }

  /** The alert of an id; undefined if its fires are not to be sent. */
  #wanted(id: string): Alert | undefined {
    const alert = this.#alerts.get(id)
    return alert && !alert.paused && !this.options.isRevoked(alert.account) ? alert : undefined
  }

  #unwatch(alert: Alert): void {
    const key = marketKey(marketOf(alert))
    const watch = this.#watches.get(key)
    watch?.remove(alert)
    if (watch?.conditions !== 0) return
    watch.close()
    this.#watches.delete(key)
  }

  /**
   * Runs `work`, and reports an error, such as a stored form that this version cannot read. The stored text is kept.
   */
  #read(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.options.onFault(error)
    }
  }

  async #commit({ market, checkpoint, voidFires, firings }: Evaluation): Promise<void> {
    if (this.#mayLackDeliveries) await this.#recoverDeliveries()
    const { maxPending } = this.options
    const maxPerAccount = Math.ceil(maxPending * accountShare)
    let total = this.#deliveries.size
    const pending = new Map<string, number>()
    const contents = firings.map(firing => contentOf(firing, this.options.clock()))
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
    this.options.onFired(fires.length)
    for (const [at, { alert, account, candle, text, isDead }] of fires.entries()) {
      this.#fired.set(alert, Math.max(candle, this.#fired.get(alert) ?? candle))
      const number = numbers[at]
      if (isDead) this.options.onOutcome('dead')
      if (number !== undefined) this.#deliver(readDelivery({ number, account, text }))
    }
  }

  /** Reads deliveries and fires from the store after a transaction with an unknown outcome. */
  async #recoverDeliveries(): Promise<void> {
    const { fired, due } = await this.options.store.state()
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

type Numbers = Awaited<ReturnType<AlertStore['commit']>>

interface WaitingCommit extends Required<AlertCommit> {
  readonly resolve: (numbers: Numbers) => void
  readonly reject: (error: unknown) => void
}

/** Maximum number of rows per transaction, unless one market changes more. */
const maxRows = 1000

/**
 * Stores the commits of several markets in one transaction, because candles of all markets close together, and
 * transactions at the same time would repeat each other.
 */
class Commits {
  readonly #waiting: WaitingCommit[] = []
  #isRunning = false

  constructor(private readonly store: Pick<AlertStore, 'commit'>) {}

  /** Resolves with the delivery number of each fire. */
  add(commit: Required<AlertCommit>): Promise<Numbers> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...commit, resolve, reject })
      if (this.#isRunning) return
      this.#isRunning = true
      afterTurn(() => void this.#run())
    })
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const parts = this.#take()
      const checkpoints = new Map(parts.flatMap(part => [...part.checkpoints]))
      const voidFires = parts.flatMap(part => part.voidFires)
      const fires = parts.flatMap(part => part.fires)
      try {
        const numbers = [...(await this.store.commit({ checkpoints, voidFires, fires }))]
        for (const part of parts) part.resolve(numbers.splice(0, part.fires.length))
      } catch (error) {
        for (const { reject } of parts) reject(error)
      }
    }
    this.#isRunning = false
  }

  /** Takes the commits of the next transaction, oldest first. */
  #take(): readonly WaitingCommit[] {
    let rows = 0
    const end = this.#waiting.findIndex(({ fires }, at) => {
      rows += 1 + fires.length
      return rows > maxRows && at > 0
    })
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end)
  }
}
