import type { SendToAccount } from '../alerts/stream-delivery.js'
import type { Entry } from '../catalogue/index.js'
import { Expressions } from '../compute/expressions/expressions.js'
import { HeldPlans } from '../compute/results/result-cache.js'
import type { Account } from '../contract/account.js'
import type { Connection } from '../contract/connection.js'
import { tooManyExpressions } from '../contract/expression-refusals.js'
import { authenticationSeconds, maxExpressionBytes } from '../contract/limits.js'
import {
  closeCodes,
  isRefusal,
  type Refusal,
  stopping,
  tooManyConnections,
  tooManyNewSubscriptions,
  tooManyOfKey,
  tooManySubscriptionsForPlan,
} from '../contract/refusals.js'
import type { SubscriptionBounds, SubscriptionLimit } from '../contract/storage/stores.js'
import { Groups } from '../runtime/groups.js'
import { type Scheduler, scheduler } from '../runtime/scheduler.js'
import { whenKnown } from '../runtime/when-known.js'
import type { LiveScreens } from '../screens/live-screens.js'
import type { Hub } from './hub.js'
import { Session, type SessionHost } from './session.js'
import type { SessionTopic } from './session-subscriptions.js'
import type { Publish } from './topic.js'

/** Time that a client has to authenticate, in milliseconds. */
const authenticationMs = authenticationSeconds * 1000
/** Interval between two sweeps, which close the sessions that must end, in milliseconds. */
const sweepMs = 500
/** Number of sweeps in which the key of every session is checked again. Revocations thus take effect within seconds. */
const sweepsPerRecheck = 4

interface Options {
  readonly hub: Hub
  readonly screens: Pick<LiveScreens, 'follow'>
  readonly access: { authenticate(header: string): Account | Refusal | Promise<Account | Refusal> }
  /** Subscription limits of an account. */
  readonly bounds: SubscriptionBounds
  readonly maxConnections: number
  readonly maxConnectionsPerKey: number
  /** Maximum number of unauthenticated connections. A further one closes the oldest. */
  readonly maxUnauthenticated: number
  /** Maximum number of these connections per address. */
  readonly maxUnauthenticatedPerAddress: number
  readonly expressions?: Expressions
  readonly messagesPerSecond: number
  readonly scheduler?: Scheduler
  /** Monotonic clock in milliseconds. */
  readonly clock: () => number
  readonly onBug: (error: unknown) => void
}

/** Sessions of all clients. Admits, authenticates and ends sessions, and counts their subscriptions. */
export class SessionRegistry implements SessionHost {
  readonly hub: Hub
  readonly screens: Pick<LiveScreens, 'follow'>
  readonly expressions: Expressions
  readonly messagesPerSecond: number
  readonly scheduler: Scheduler
  readonly clock: () => number
  readonly slow = new Set<Session>()
  readonly onBug: (error: unknown) => void
  readonly #unauthenticated: UnauthenticatedSessions
  readonly #sessionsByToken = new Groups<Session>()
  readonly #tokens = new Map<Session, string>()
  readonly #listeners = new AlertListeners()
  readonly #plans = new Map<string, HeldPlans>()
  /** Called when a session of an account starts to receive alerts. */
  #onListening: (accountId: string) => void = () => {}
  #onSubscribed: (accountId: string) => void = () => {}
  #subscriptions = 0
  readonly #timer: NodeJS.Timeout
  /** The tokens that the next sweeps check again. */
  #toRecheck: IterableIterator<[token: string, sessions: ReadonlySet<Session>]>
  #isStopping = false

  constructor(private readonly options: Options) {
    this.hub = options.hub
    this.screens = options.screens
    this.expressions = options.expressions ?? new Expressions()
    this.messagesPerSecond = options.messagesPerSecond
    this.scheduler = options.scheduler ?? scheduler
    this.clock = options.clock
    this.onBug = options.onBug
    this.#unauthenticated = new UnauthenticatedSessions({
      total: options.maxUnauthenticated,
      perAddress: options.maxUnauthenticatedPerAddress,
    })
    this.#toRecheck = this.#sessionsByToken.entries()
    this.#timer = setInterval(() => this.#sweep(), sweepMs)
    this.#timer.unref()
  }

  get connections(): number {
    return this.#unauthenticated.size + this.#tokens.size
  }

  get subscriptions(): number {
    return this.#subscriptions
  }

  /** Ends the subscriptions to topics whose market is gone, with the reason. */
  endSubscriptions(topics: ReadonlySet<SessionTopic>, refusal: Refusal): void {
    for (const session of this.#tokens.keys()) session.endSubscriptions(topics, refusal)
  }

  publishTo(publish: Publish): void {
    this.hub.publishTo(publish)
  }

  /** Refusal of further connections at present; undefined if a client may connect. */
  refuse(): Refusal | undefined {
    if (this.#isStopping) return stopping(1)
    // Sessions without a key do not count, because they are closed to make room.
    const isFull = this.#tokens.size >= this.options.maxConnections
    return isFull ? tooManyConnections(1) : undefined
  }

  /**
   * Opens the session of a client that has connected from `address`. `ended` must be called when its connection is
   * closed. If too many clients have sent no key, the oldest of them is closed, because a client with a key sends it at
   * once.
   */
  open(connection: Connection, address: string): Session {
    const displaced = this.#unauthenticated.displace(address) ?? this.#displaceWhenFull()
    displaced?.end(closeCodes().displaced)
    const session = new Session(connection, this)
    this.#unauthenticated.add(session, address, this.clock() + authenticationMs)
    return session
  }

  #displaceWhenFull(): Session | undefined {
    return this.connections >= this.options.maxConnections ? this.#unauthenticated.takeOldest() : undefined
  }

  ended(session: Session): void {
    session.ended()
    this.#listeners.delete(session)
    this.#unauthenticated.delete(session)
    const token = this.#tokens.get(session)
    if (token === undefined) return
    this.#tokens.delete(session)
    this.#sessionsByToken.delete(token, session)
  }

  authenticate(session: Session, token: string): Account | Refusal | Promise<Account | Refusal> {
    return whenKnown(this.options.access.authenticate(token), account => this.#admit(session, token, account))
  }

  #admit(session: Session, token: string, account: Account | Refusal): Account | Refusal {
    // The connection may have closed while the account was looked up.
    if (isRefusal(account) || session.isEnded) return account
    const { maxConnectionsPerKey } = this.options
    if (this.#sessionsByToken.of(token).size >= maxConnectionsPerKey)
      return tooManyOfKey('streaming connections', maxConnectionsPerKey)
    this.#unauthenticated.delete(session)
    this.#tokens.set(session, token)
    this.#sessionsByToken.add(token, session)
    return account
  }

  reserveSubscription(
    account: Account,
    key: string,
    indicator: Entry,
  ): Refusal | undefined | Promise<Refusal | undefined> {
    const plans = this.#plans.get(account.id) ?? new HeldPlans()
    if (plans.bytes + plans.bytesToAdd(indicator) > maxExpressionBytes)
      return tooManyExpressions(maxExpressionBytes, 'subscriptions')
    return whenKnown(this.options.bounds.reserve(account, key), limit =>
      this.#countSubscription(account, indicator, limit),
    )
  }

  #countSubscription(
    { id, subscriptions }: Account,
    indicator: Entry,
    limit: SubscriptionLimit,
  ): Refusal | undefined {
    if (limit === 'plan') return tooManySubscriptionsForPlan(subscriptions)
    if (limit !== undefined) return tooManyNewSubscriptions(subscriptions, limit.seconds)
    this.#subscriptions++
    this.#onSubscribed(id)
    const plans = this.#plans.get(id) ?? new HeldPlans()
    plans.add(indicator)
    if (plans.bytes > 0) this.#plans.set(id, plans)
    return undefined
  }

  releaseSubscription(account: Account, indicator: Entry): void {
    this.options.bounds.release(account)
    const plans = this.#plans.get(account.id)
    plans?.delete(indicator)
    if (plans?.bytes === 0) this.#plans.delete(account.id)
    this.#subscriptions--
  }

  /** Calls `onSubscribed` with the account of each subscription, live screens and breadths included. */
  watchSubscriptions(onSubscribed: (accountId: string) => void): void {
    this.#onSubscribed = onSubscribed
  }

  /** Calls `onListening` with the account of each session that starts to receive alerts. */
  watchListeners(onListening: (accountId: string) => void): void {
    this.#onListening = onListening
  }

  listen(session: Session, { id }: Account, acknowledges: boolean): void {
    this.#listeners.add(session, id, acknowledges)
    this.#onListening(id)
  }

  caughtUp(session: Session): void {
    const { accountId } = session
    if (accountId !== undefined && this.#listeners.has(session)) this.#onListening(accountId)
  }

  acknowledge(session: Session, id: string): void {
    this.#listeners.acknowledge(session, id)
  }

  readonly sendAlert: SendToAccount = (accountId, alert, onAcknowledged) => {
    const sessions = [...this.#listeners.of(accountId)]
    const reading = sessions.filter(session => !session.isEnded && !this.slow.has(session))
    return this.#listeners.send(reading, alert, onAcknowledged)
  }

  /** Refuses further clients. The server closes the open connections. */
  close(): void {
    this.#isStopping = true
    clearInterval(this.#timer)
  }

  /** Ends the sessions that did not authenticate in time, stopped reading, or have a revoked key. */
  #sweep(): void {
    const now = this.clock()
    const { unauthenticated } = closeCodes()
    for (const session of this.#unauthenticated.takeOverdue(now)) session.end(unauthenticated)
    for (const session of this.slow) session.cutIfUnresponsive()
    for (let left = Math.ceil(this.#sessionsByToken.size / sweepsPerRecheck); left > 0; left--) {
      const { value, done } = this.#toRecheck.next()
      if (done) {
        this.#toRecheck = this.#sessionsByToken.entries()
        break
      }
      this.#recheck(...value)
    }
  }

  /** Ends the sessions of a token whose key was revoked or has lost a scope. The other sessions get the current account. */
  async #recheck(token: string, sessions: ReadonlySet<Session>): Promise<void> {
    try {
      const account = await this.options.access.authenticate(token)
      const { inactive } = closeCodes()
      for (const session of [...sessions]) {
        if (!isRefusal(account)) session.renew(account)
        // 503 says that the key cannot be checked at present.
        else if (account.status === 401) session.end(inactive)
      }
    } catch (error) {
      this.onBug(error)
    }
  }
}

type OnAcknowledged = Parameters<SendToAccount>[2]

/** Alert that sessions have yet to acknowledge. */
interface Awaited {
  sessions: number
  readonly end: OnAcknowledged
}

/** Sessions that receive alerts, and the alerts that they have yet to acknowledge. */
class AlertListeners {
  readonly #byAccount = new Groups<Session>()
  /** Unacknowledged alerts by message id, for each session that acknowledges alerts. */
  readonly #awaited = new Map<Session, Map<string, Awaited>>()

  add(session: Session, accountId: string, acknowledges: boolean): void {
    this.#byAccount.add(accountId, session)
    if (acknowledges && !this.#awaited.has(session)) this.#awaited.set(session, new Map())
  }

  has(session: Session): boolean {
    return this.#byAccount.of(session.accountId ?? '').has(session)
  }

  /** Must be called when a session has ended. */
  delete(session: Session): void {
    this.#byAccount.delete(session.accountId ?? '', session)
    const awaited = this.#awaited.get(session)
    this.#awaited.delete(session)
    for (const each of awaited?.values() ?? []) if (--each.sessions === 0) each.end(false)
  }

  of(accountId: string): ReadonlySet<Session> {
    return this.#byAccount.of(accountId)
  }

  /** Sends an alert to sessions. The alert is awaited if one of them acknowledges alerts. */
  send(
    sessions: readonly Session[],
    { id, body }: Parameters<SendToAccount>[1],
    end: OnAcknowledged,
  ): ReturnType<SendToAccount> {
    const alert: Awaited = { sessions: 0, end }
    let isReceived = false
    for (const session of sessions) {
      if (!session.sendAlert(body)) continue
      const awaited = this.#awaited.get(session)
      if (awaited) {
        alert.sessions++
        awaited.set(id, alert)
      } else isReceived = true
    }
    if (alert.sessions > 0) return 'awaited'
    return isReceived ? 'received' : 'none'
  }

  /**
   * Records the acknowledgement of an alert. Other ids are ignored: the alert may have been sent to several clients, or
   * long ago.
   */
  acknowledge(session: Session, id: string): void {
    const alert = this.#awaited.get(session)?.get(id)
    if (alert === undefined) return
    for (const other of this.#byAccount.of(session.accountId ?? '')) {
      const awaited = this.#awaited.get(other)
      if (awaited?.get(id) === alert) awaited.delete(id)
    }
    alert.end(true)
  }
}

/** A session without a key. */
interface Unauthenticated {
  readonly address: string
  /** Deadline for authentication. */
  readonly until: number
}

/** Sessions without a key, oldest first. */
class UnauthenticatedSessions {
  readonly #entries = new Map<Session, Unauthenticated>()
  readonly #byAddress = new Groups<Session>()

  /** At most `total` sessions at a time, and `perAddress` of one address. */
  constructor(private readonly bounds: { readonly total: number; readonly perAddress: number }) {}

  get size(): number {
    return this.#entries.size
  }

  add(session: Session, address: string, until: number): void {
    this.#entries.set(session, { address, until })
    this.#byAddress.add(address, session)
  }

  delete(session: Session): void {
    const entry = this.#entries.get(session)
    if (!entry) return
    this.#entries.delete(session)
    this.#byAddress.delete(entry.address, session)
  }

  /** Removes and returns the session that makes room for another one of this address; undefined if there is room. */
  displace(address: string): Session | undefined {
    const { total, perAddress } = this.bounds
    const sameAddress = this.#byAddress.of(address)
    if (sameAddress.size >= perAddress) return this.#take(sameAddress)
    return this.#entries.size >= total ? this.takeOldest() : undefined
  }

  takeOldest(): Session | undefined {
    return this.#take(this.#entries.keys())
  }

  /** Removes and yields the sessions that have not authenticated in time. */
  *takeOverdue(now: number): Iterable<Session> {
    for (const [session, { until }] of this.#entries) {
      if (until > now) return
      this.delete(session)
      yield session
    }
  }

  #take(sessions: Iterable<Session>): Session | undefined {
    for (const session of sessions) {
      this.delete(session)
      return session
    }
    return undefined
  }
}
