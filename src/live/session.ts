import type { Expressions } from '../compute/expressions/expressions.js'
import { type Account, hasLostScope } from '../contract/account.js'
import type { Connection } from '../contract/connection.js'
import { maxMessageBytes, maxUnreadSeconds } from '../contract/limits.js'
import type { Market } from '../contract/market.js'
import type { LiveSpec } from '../contract/query.js'
import {
  alreadyAuthenticated,
  closeCodes,
  duplicateSubscription,
  internal,
  isRefusal,
  notAuthenticated,
  type Refusal,
  subscriptionNotFound,
  tooManyMessages,
} from '../contract/refusals.js'
import type { Scheduler } from '../runtime/scheduler.js'
import { whenKnown } from '../runtime/when-known.js'
import { Inbox } from './inbox.js'
import {
  authError,
  authenticated,
  errorMessage,
  type InvalidMessage,
  listening,
  type Message,
  normalId,
  readMessage,
  readToken,
  type SubscribeRequest,
  subscriptionId,
  subscriptionKey,
  subscriptionsMessage,
} from './protocol.js'
import { type ScreensHost, SessionScreens } from './session-screens.js'
import type { Topic } from './topic.js'

/** Maximum time that a slow client may miss updates, in milliseconds. Then its session is closed. */
const maxSlowMs = maxUnreadSeconds * 1000
/** Maximum time that a slow client may leave even the close frame unread, in milliseconds. Then its connection is cut. */
const maxUnresponsiveMs = 30_000

/** Part of a topic that a session uses. */
export type SessionTopic = Pick<Topic, 'all' | 'closedOnly' | 'current'>

/** Part of the hub that a session uses. */
export interface SessionHub {
  acquire(
    market: Market,
    spec: LiveSpec,
    asker: { readonly id: string; readonly signal: AbortSignal },
  ): SessionTopic | Refusal | Promise<SessionTopic | Refusal>
  release(topic: SessionTopic): void
}

/** Part of the registry that a session needs. */
export interface SessionHost extends ScreensHost {
  readonly hub: SessionHub
  readonly expressions: Expressions
  /** Average number of messages per second that a client may send. */
  readonly messagesPerSecond: number
  /** Monotonic clock in milliseconds. */
  readonly clock: () => number
  readonly scheduler: Scheduler
  /** Sessions that miss updates. They are closed later, because no session may be closed while updates are being sent. */
  readonly slow: Set<Session>
  /**
   * Looks up the account of a token, and registers the token for the session. Errors of the account store are thrown,
   * or reject the promise.
   */
  authenticate(session: Session, token: string): Account | Refusal | Promise<Account | Refusal>
  /**
   * Sends the alerts of an account to a session from now on. With `acknowledges`, each alert is kept until the session
   * acknowledges it.
   */
  listen(session: Session, account: Account, acknowledges: boolean): void
  acknowledge(session: Session, id: string): void
  /** Must be called when a session that missed updates can receive messages again. */
  caughtUp(session: Session): void
}

interface Subscription {
  readonly request: SubscribeRequest
  /** Whether the subscription counts for its account. False while the limits are checked. */
  isCounted: boolean
  /** Undefined while the candles are fetched or the first values are computed. */
  topic: SessionTopic | undefined
  /** Aborts the pending work of the subscription. */
  readonly ending: AbortController
}

/** The subscriptions of a session to one topic. */
interface TopicSubscriptions {
  /** Number of subscriptions to every update, and number of subscriptions to closed candles only. */
  all: number
  closedOnly: number
  /** The server's channel that the session is on. */
  channel: string | undefined
}

/** One client: its account, its subscriptions, and how fast it sends and reads. */
export class Session {
  readonly #connection: Connection
  readonly #host: SessionHost
  /** Subscriptions by id, in the order in which they were made. */
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #topics = new Map<SessionTopic, TopicSubscriptions>()
  readonly #screens: SessionScreens
  readonly #inbox: Inbox
  #account: Account | undefined
  #isEnded = false
  /** Messages, pings and pongs that the client may send at once. Grows with time, and is negative while too many are sent. */
  #allowance: number
  #allowanceAt: number
  /** Time at which updates began to be skipped because the client reads slowly. */
  #slowSince: number | undefined

  constructor(connection: Connection, host: SessionHost) {
    this.#connection = connection
    this.#host = host
    this.#allowance = host.messagesPerSecond
    this.#allowanceAt = host.clock()
    this.#inbox = new Inbox({
      scheduler: host.scheduler,
      receive: text => this.#receiveText(text),
      fail: error => {
        host.onBug(error)
        this.end(closeCodes().internal)
      },
    })
    this.#screens = new SessionScreens(host, {
      send: text => this.#sendUnlessSlow(text),
      refuse: (id, refusal) => this.#sendError(id, refusal),
    })
  }

  get subscriptions(): number {
    return this.#subscriptions.size
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** The id of its account, once it has one. */
  get accountId(): string | undefined {
    return this.#account?.id
  }

  receive(message: Uint8Array, isBinary: boolean) {
    if (this.#isEnded) return
    const { binary, tooLarge, tooManyMessages: tooMany } = closeCodes()
    if (isBinary) return this.end(binary)
    if (message.byteLength > maxMessageBytes) return this.end(tooLarge)
    const text = Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString()
    if (!this.#inbox.add(text)) this.end(tooMany)
  }

  /** Counts a ping or a pong like a message. The WebSocket library has already answered it. */
  receiveControl() {
    if (this.#isEnded) return
    this.#spendAllowance()
    if (this.#hasSentTooMuch) this.end(closeCodes().tooManyMessages)
  }

  get #hasSentTooMuch(): boolean {
    return this.#allowance < -this.#host.messagesPerSecond
  }

  #receiveText(text: string) {
    if (this.#isEnded) return
    this.#spendAllowance()
    const { messagesPerSecond } = this.#host
    if (this.#hasSentTooMuch) return this.end(closeCodes().tooManyMessages)
    if (this.#allowance < 0) return this.#sendError(null, tooManyMessages(messagesPerSecond))
    const account = this.#account
    if (account) return this.#dispatch(readMessage(text, this.#host.expressions, account), account)
    const token = readToken(text)
    if (token === undefined) this.#connection.send(authError(notAuthenticated()))
    else this.#authenticate(token)
  }

  /** Sends an alert of the account. Returns whether it was sent. */
  sendAlert(text: string): boolean {
    return this.#connection.send(text)
  }

  /** Must be called when an update was skipped because too many bytes are unread. */
  skipped(): void {
    this.#host.slow.add(this)
    this.#slowSince ??= this.#host.clock()
  }

  /**
   * Must be called when the client has read enough to receive messages again. `isCaughtUp` means that little is left
   * unread.
   */
  drained(isCaughtUp: boolean): void {
    if (this.#slowFor > maxSlowMs) this.end(closeCodes().tooSlow)
    else if (isCaughtUp) this.#markCaughtUp()
  }

  /** Cuts the connection of a client that has read nothing for too long. */
  cutIfUnresponsive(): void {
    if (this.#slowFor <= maxUnresponsiveMs) return
    this.ended()
    this.#connection.cut()
  }

  get #slowFor(): number {
    return this.#slowSince === undefined ? 0 : this.#host.clock() - this.#slowSince
  }

  #markCaughtUp(): void {
    if (!this.#host.slow.delete(this)) return
    this.#slowSince = undefined
    if (!this.#isEnded) this.#host.caughtUp(this)
  }

  /** Closes the connection and releases everything. */
  end({ code, reason }: { readonly code: number; readonly reason: string }): void {
    this.ended()
    this.#connection.close(code, reason)
  }

  /** Replaces the account by its current state. A session whose key has lost a scope ends. */
  renew(account: Account): void {
    if (this.#account && hasLostScope(this.#account, account)) this.end(closeCodes().outOfScope)
    else this.#account = account
  }

  /** Releases everything. Must be called when the connection is closed. */
  ended(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#markCaughtUp()
    for (const subscription of this.#subscriptions.values()) this.#release(subscription)
    this.#subscriptions.clear()
    this.#topics.clear()
    this.#screens.close()
  }

  /** Takes one message off the allowance. An authenticated client may make all its subscriptions at once. */
  #spendAllowance(): void {
    const { clock, messagesPerSecond } = this.#host
    const now = clock()
    const maxAllowance = messagesPerSecond + (this.#account?.subscriptions ?? 0)
    const gained = ((now - this.#allowanceAt) * messagesPerSecond) / 1000
    this.#allowance = Math.min(maxAllowance, this.#allowance + gained) - 1
    this.#allowanceAt = now
  }

  #dispatch(message: Message | InvalidMessage, account: Account) {
    switch (message.type) {
      case 'auth':
        return this.#sendError(null, alreadyAuthenticated())
      case 'invalid':
        return this.#sendError(message.id, message.refusal)
      case 'list':
        return this.#connection.send(subscriptionsMessage(this.#requests()))
      case 'alerts':
        this.#connection.send(listening(message.ack))
        return this.#host.listen(this, account, message.ack)
      case 'alert_ack':
        return this.#host.acknowledge(this, message.id)
      case 'unsubscribe':
        return this.#unsubscribe(message.id)
      case 'subscribe':
        return this.#subscribe(message.request, account)
      case 'screen':
      case 'breadth':
        return this.#screens.begin(message.request, account)
      case 'screen_stop':
        return this.#screens.stop('screen', message.id)
      case 'breadth_stop':
        return this.#screens.stop('breadth', message.id)
    }
  }

  #authenticate(token: string) {
    const begun = whenKnown(this.#host.authenticate(this, token), account => this.#setAccount(account))
    if (begun !== undefined) this.#inbox.hold(begun)
  }

  #setAccount(account: Account | Refusal): void {
    if (this.#isEnded) return
    if (isRefusal(account)) {
      this.#connection.send(authError(account))
      return
    }
    this.#account = account
    // Messages without a key cost little, so turns are shared only from now on.
    this.#inbox.sharesTurns = true
    this.#allowance += account.subscriptions
    this.#connection.send(authenticated)
  }

  #subscribe(request: SubscribeRequest, account: Account) {
    const id = subscriptionId(request)
    if (this.#subscriptions.has(id)) return this.#sendError(request.id, duplicateSubscription(id))
    const subscription = { request, isCounted: false, topic: undefined, ending: new AbortController() }
    this.#subscriptions.set(id, subscription)
    const limit = this.#host.reserveSubscription(account, subscriptionKey(request), request.spec.indicator)
    const begun = whenKnown(limit, refusal => this.#reserved(id, subscription, account, refusal))
    Promise.resolve(begun).catch(error => this.#host.onBug(error))
  }

  /** Continues a subscription after the limits of its account were checked. */
  #reserved(id: string, subscription: Subscription, account: Account, refusal: Refusal | undefined) {
    const isWanted = this.#subscriptions.get(id) === subscription
    if (isWanted && refusal) return this.#refuse(id, subscription, refusal)
    if (isWanted) return this.#acquire(id, subscription)
    if (!refusal) this.#host.releaseSubscription(account, subscription.request.spec.indicator)
  }

  /** Requests the topic of a counted subscription from the hub. */
  #acquire(id: string, subscription: Subscription): void {
    subscription.isCounted = true
    const { market, spec } = subscription.request
    const begin = (topic: SessionTopic | Refusal) => this.#begin(id, subscription, topic)
    const fail = (error: unknown) => {
      this.#host.onBug(error)
      begin(internal())
    }
    const asker = { id: this.accountId ?? '', signal: subscription.ending.signal }
    try {
      const begun = whenKnown(this.#host.hub.acquire(market, spec, asker), begin)
      Promise.resolve(begun).catch(fail)
    } catch (error) {
      fail(error)
    }
  }

  /** Begins a subscription with the first update of its topic, or refuses it. */
  #begin(id: string, subscription: Subscription, topic: SessionTopic | Refusal) {
    // The client may have ended the subscription, or may have left, since the candles were fetched.
    const isWanted = this.#subscriptions.get(id) === subscription
    if (isRefusal(topic)) {
      if (isWanted) this.#refuse(id, subscription, topic)
      return
    }
    if (!isWanted) return this.#host.hub.release(topic)
    subscription.topic = topic
    const { candleClose } = subscription.request
    const current = topic.current(candleClose)
    if (isRefusal(current)) return this.#refuse(id, subscription, current)
    const subscriptions = this.#topics.get(topic) ?? { all: 0, closedOnly: 0, channel: undefined }
    this.#topics.set(topic, subscriptions)
    subscriptions[candleClose ? 'closedOnly' : 'all']++
    this.#updateChannel(topic, subscriptions)
    this.#connection.send(current)
  }

  #refuse(id: string, subscription: Subscription, refusal: Refusal): void {
    this.#subscriptions.delete(id)
    this.#release(subscription)
    this.#sendError(subscription.request.id, refusal)
  }

  #unsubscribe(id: string) {
    // The listed id is matched in any case: `1M` may mean a minute if no subscription to months exists.
    const key = [normalId(id), id.toLowerCase()].find(known => this.#subscriptions.has(known)) ?? id
    const subscription = this.#subscriptions.get(key)
    if (!subscription) return this.#sendError(id, subscriptionNotFound(id))
    this.#end(key, subscription)
  }

  /** Ends the subscriptions to topics whose market is gone, with the reason. */
  endSubscriptions(topics: ReadonlySet<SessionTopic>, refusal: Refusal): void {
    for (const [id, subscription] of [...this.#subscriptions]) {
      if (subscription.topic === undefined || !topics.has(subscription.topic)) continue
      this.#end(id, subscription)
      this.#sendError(subscription.request.id, refusal)
    }
  }

  #end(id: string, subscription: Subscription): void {
    this.#subscriptions.delete(id)
    const { topic, request } = subscription
    const subscriptions = topic && this.#topics.get(topic)
    if (topic && subscriptions) {
      subscriptions[request.candleClose ? 'closedOnly' : 'all']--
      this.#updateChannel(topic, subscriptions)
    }
    this.#release(subscription)
  }

  /** Subscribes to the channel of a topic that brings each wanted update once, and leaves the other channel. */
  #updateChannel(topic: SessionTopic, subscriptions: TopicSubscriptions): void {
    const { all, closedOnly, channel } = subscriptions
    const wanted = all > 0 ? topic.all : closedOnly > 0 ? topic.closedOnly : undefined
    if (wanted !== channel) {
      if (channel !== undefined) this.#connection.unsubscribe(channel)
      if (wanted !== undefined) this.#connection.subscribe(wanted)
      subscriptions.channel = wanted
    }
    if (wanted === undefined) this.#topics.delete(topic)
  }

  #release({ request, topic, isCounted, ending }: Subscription): void {
    if (topic) this.#host.hub.release(topic)
    else ending.abort()
    if (isCounted && this.#account) this.#host.releaseSubscription(this.#account, request.spec.indicator)
  }

  *#requests(): Iterable<readonly [string, SubscribeRequest]> {
    for (const [id, { request }] of this.#subscriptions) yield [id, request]
  }

  /** Sends a text unless the client is slow. Returns whether it was sent. */
  #sendUnlessSlow(text: string): boolean {
    const { slow } = this.#host
    if (!slow.has(this)) this.#connection.send(text)
    return !slow.has(this)
  }

  #sendError(id: string | null, refusal: Refusal): void {
    this.#connection.send(errorMessage(id, refusal))
  }
}
