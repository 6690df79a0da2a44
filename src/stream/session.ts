import { maxMessageBytes, maxUnreadSeconds } from '../contract/limits.js'
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
import type { Account } from '../store/store.js'
import type { Hub, Topic } from './hub.js'
import {
  authError,
  authenticated,
  composeId,
  errorMessage,
  type InvalidMessage,
  type Message,
  readMessage,
  type SubscribeRequest,
  subscriptionsMessage,
} from './protocol.js'

/** The connection to one client, as the server gives it. Nothing happens on it once it is closed. */
export interface Connection {
  send(text: string): void
  /** Joins a topic of the server's, or leaves it. */
  subscribe(topic: string): void
  unsubscribe(topic: string): void
  /** Ends it in order. Too much that waits to be read swallows the code. */
  close(code: number, reason: string): void
  /** Ends it at once. */
  cut(): void
}

/** For how long a client may miss updates because it does not read, in milliseconds; then it is closed. */
const maxSlowMs = maxUnreadSeconds * 1000
/** For how long it may go on without reading even the close, in milliseconds. */
const maxUnresponsiveMs = 30_000

/** What a session asks of the house. */
export interface SessionHost {
  readonly hub: Hub
  /** Messages per second that a client may send in the long run. */
  readonly messagesPerSecond: number
  /** Milliseconds from any moment, never going back. */
  readonly clock: () => number
  /** Sessions that miss updates. They are looked at again from time to time: in the midst of sending none may be closed. */
  readonly slow: Set<Session>
  readonly onBug: (error: unknown) => void
  /** Whose token it is, from now on for this session. Throws what reading the accounts throws. */
  authenticate(session: Session, token: string): Account | Refusal
  /** Takes one of the subscriptions that the account may have, over all its sessions. */
  reserveSubscription(account: Account): Refusal | undefined
  releaseSubscription(account: Account): void
}

interface Subscription {
  readonly request: SubscribeRequest
  /** Absent while the candles are fetched. */
  topic: Topic | undefined
}

/** How many of a session's subscriptions listen to a topic in each way. */
interface Listening {
  all: number
  closes: number
  /** The server's topic that the session is on. */
  joined: string | undefined
}

/** One client: who it is and what it listens to. */
export class Session {
  readonly #wire: Connection
  readonly #house: SessionHost
  /** By composed id, in the order in which they were made. */
  readonly #subscriptions = new Map<string, Subscription>()
  readonly #listening = new Map<Topic, Listening>()
  #account: Account | undefined
  #isOver = false
  /** Messages that may still be sent at once; it fills with time and is below zero for a client that goes on. */
  #allowance: number
  #counted: number
  /** Since when updates are skipped because the client does not read. */
  #slowSince: number | undefined

  constructor(wire: Connection, house: SessionHost) {
    this.#wire = wire
    this.#house = house
    this.#allowance = house.messagesPerSecond
    this.#counted = house.clock()
  }

  get isAuthenticated(): boolean {
    return this.#account !== undefined
  }

  get subscriptions(): number {
    return this.#subscriptions.size
  }

  /** Takes in a message as it came over the wire. */
  receive(message: Uint8Array, isBinary: boolean) {
    if (this.#isOver) return
    const { binary, tooLarge, tooManyMessages: tooMany } = closeCodes()
    if (isBinary) return this.end(binary)
    if (message.byteLength > maxMessageBytes) return this.end(tooLarge)
    this.#count()
    const { messagesPerSecond } = this.#house
    if (this.#allowance < -messagesPerSecond) return this.end(tooMany)
    if (this.#allowance < 0) return this.#sendError(null, tooManyMessages(messagesPerSecond))
    const text = Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString()
    this.#handle(readMessage(text))
  }

  /** An update was skipped because too much waits for the client to read it. */
  skipped(): void {
    this.#house.slow.add(this)
    this.#slowSince ??= this.#house.clock()
  }

  /** The client has read some of what waited for it, so it can be told again; `isCaughtUp` says that little is left. */
  drained(isCaughtUp: boolean): void {
    if (this.#slowFor > maxSlowMs) this.end(closeCodes().tooSlow)
    else if (isCaughtUp) this.#forgive()
  }

  /** Cuts the connection of a client that reads nothing at all. */
  cutIfUnresponsive(): void {
    if (this.#slowFor <= maxUnresponsiveMs) return
    this.ended()
    this.#wire.cut()
  }

  get #slowFor(): number {
    return this.#slowSince === undefined ? 0 : this.#house.clock() - this.#slowSince
  }

  #forgive(): void {
    this.#house.slow.delete(this)
    this.#slowSince = undefined
  }

  /** Closes the connection and gives everything back. */
  end({ code, reason }: { readonly code: number; readonly reason: string }): void {
    this.ended()
    this.#wire.close(code, reason)
  }

  /** The connection is closed. */
  ended(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#forgive()
    for (const subscription of this.#subscriptions.values()) this.#release(subscription)
    this.#subscriptions.clear()
    this.#listening.clear()
  }

  /** Who is known may make all its subscriptions at once. */
  #count(): void {
    const { clock, messagesPerSecond } = this.#house
    const now = clock()
    const most = messagesPerSecond + (this.#account?.subscriptions ?? 0)
    const gained = ((now - this.#counted) * messagesPerSecond) / 1000
    this.#allowance = Math.min(most, this.#allowance + gained) - 1
    this.#counted = now
  }

  #handle(message: Message | InvalidMessage) {
    if (message.type === 'auth') return this.#authenticate(message.token)
    const account = this.#account
    if (!account) return this.#wire.send(authError(notAuthenticated()))
    switch (message.type) {
      case 'misunderstood':
        return this.#sendError(message.id, message.refusal)
      case 'list':
        return this.#wire.send(subscriptionsMessage(this.#requests()))
      case 'unsubscribe':
        return this.#unsubscribe(message.id)
      case 'subscribe':
        return this.#subscribe(message.request, account)
    }
  }

  #authenticate(token: string) {
    if (this.#account) return this.#sendError(null, alreadyAuthenticated())
    const account = this.#house.authenticate(this, token)
    if (isRefusal(account)) return this.#wire.send(authError(account))
    this.#account = account
    this.#allowance += account.subscriptions
    this.#wire.send(authenticated)
  }

  #subscribe(request: SubscribeRequest, account: Account) {
    const id = composeId(request)
    if (this.#subscriptions.has(id)) return this.#sendError(request.id, duplicateSubscription(id))
    const refusal = this.#house.reserveSubscription(account)
    if (refusal) return this.#sendError(request.id, refusal)
    const subscription: Subscription = { request, topic: undefined }
    this.#subscriptions.set(id, subscription)
    const settle = (topic: Topic | Refusal) => this.#settle(id, subscription, topic)
    const opened = this.#house.hub.open(request.market, request.spec)
    if (!(opened instanceof Promise)) return settle(opened)
    opened.then(settle).catch(error => {
      this.#house.onBug(error)
      settle(internal())
    })
  }

  #settle(id: string, subscription: Subscription, topic: Topic | Refusal) {
    const isWanted = this.#subscriptions.get(id) === subscription
    if (isRefusal(topic)) {
      if (isWanted) this.#drop(id, subscription, topic)
      return
    }
    if (!isWanted) return this.#house.hub.close(topic)
    const { candleClose } = subscription.request
    const current = topic.current(candleClose)
    if (isRefusal(current)) {
      this.#house.hub.close(topic)
      return this.#drop(id, subscription, current)
    }
    subscription.topic = topic
    const listening = this.#listening.get(topic) ?? { all: 0, closes: 0, joined: undefined }
    this.#listening.set(topic, listening)
    listening[candleClose ? 'closes' : 'all']++
    this.#updateTopic(topic, listening)
    this.#wire.send(current)
  }

  /** Tells the client that a subscription did not come about. */
  #drop(id: string, subscription: Subscription, refusal: Refusal): void {
    this.#subscriptions.delete(id)
    this.#release(subscription)
    this.#sendError(subscription.request.id, refusal)
  }

  #unsubscribe(id: string) {
    const key = id.toLowerCase()
    const subscription = this.#subscriptions.get(key)
    if (!subscription) return this.#sendError(id, subscriptionNotFound(id))
    this.#subscriptions.delete(key)
    const { topic, request } = subscription
    const listening = topic && this.#listening.get(topic)
    if (topic && listening) {
      listening[request.candleClose ? 'closes' : 'all']--
      this.#updateTopic(topic, listening)
    }
    this.#release(subscription)
  }

  /** Joins the server's topic that brings each wanted update once. */
  #updateTopic(topic: Topic, listening: Listening): void {
    const wanted = listening.all > 0 ? topic.all : listening.closes > 0 ? topic.closes : undefined
    if (wanted !== listening.joined) {
      if (listening.joined !== undefined) this.#wire.unsubscribe(listening.joined)
      if (wanted !== undefined) this.#wire.subscribe(wanted)
      listening.joined = wanted
    }
    if (wanted === undefined) this.#listening.delete(topic)
  }

  #release({ topic }: Subscription): void {
    if (topic) this.#house.hub.close(topic)
    if (this.#account) this.#house.releaseSubscription(this.#account)
  }

  *#requests(): Iterable<readonly [string, SubscribeRequest]> {
    for (const [id, { request }] of this.#subscriptions) yield [id, request]
  }

  #sendError(id: string | null, refusal: Refusal): void {
    this.#wire.send(errorMessage(id, refusal))
  }
}
