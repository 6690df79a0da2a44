import type { Entry } from '../catalogue/index.js'
import type { Caller } from '../compute/executor.js'
import type { Account } from '../contract/account.js'
import type { Connection } from '../contract/connection.js'
import type { PreparedQuestion } from '../contract/query.js'
import {
  duplicateSubscription,
  internal,
  isRefusal,
  type Refusal,
  subscriptionNotFound,
} from '../contract/refusals.js'
import { duplicateScreen, screenNotFound } from '../contract/screen-refusals.js'
import { whenKnown } from '../runtime/when-known.js'
import type { LiveScreens } from '../screens/live-screens.js'
import {
  type LiveScreenRequest,
  normalId,
  type SubscribeRequest,
  screenMessage,
  screenPending,
  subscriptionId,
  subscriptionKey,
  subscriptionsMessage,
} from './protocol.js'
import type { Topic } from './topic.js'

export type SessionTopic = Pick<Topic, 'join' | 'leave' | 'current'>

export interface SessionHub {
  acquire(
    question: PreparedQuestion,
    caller: Caller,
  ): SessionTopic | Refusal | Promise<SessionTopic | Refusal>
  release(topic: SessionTopic): void
}

export interface SubscriptionsHost {
  readonly hub: SessionHub
  readonly screens: Pick<LiveScreens, 'follow'>
  readonly onBug: (error: unknown) => void
  /**
   * Counts a subscription against two limits of the account: subscriptions over all its sessions, and new subscriptions
   * in a time window. Subscriptions of the same `key` count once as new. If `indicator` is an expression, its memory
   * counts too. A subscription above a limit is not counted.
   */
  reserveSubscription(
    account: Account,
    key: string,
    indicator: Entry,
  ): Refusal | undefined | Promise<Refusal | undefined>
  releaseSubscription(account: Account, indicator: Entry): void
}

type Channels = Pick<Connection, 'send' | 'subscribe' | 'unsubscribe'>

interface Answers {
  /** Sends a text, unless the client reads too slowly. Returns whether it was sent. */
  send(text: string): boolean
  refuse(id: string, refusal: Refusal): void
}

/** A subscription, live screen or live breadth of a client. Each counts as a subscription of its account. */
interface Followed {
  readonly account: Account
  readonly indicator: Entry
  /** Whether the account is charged for it. False while the limits are checked. */
  isCounted: boolean
  stop: () => void
}

interface Subscription extends Followed {
  readonly request: SubscribeRequest
  /** Undefined while the candles are fetched or the first values are computed. */
  topic: SessionTopic | undefined
  /** The server's channel that brings its updates. */
  channel: string | undefined
}

const sameId = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Everything that one client follows: subscriptions, live screens and live breadths. */
export class SessionSubscriptions {
  /** Subscriptions by id, in the order in which they were made. */
  readonly #subscriptions = new Map<string, Subscription>()
  /** Live screens and breadths by kind and client id. */
  readonly #screens = new Map<string, Followed>()

  constructor(
    private readonly host: SubscriptionsHost,
    private readonly connection: Channels,
    private readonly answers: Answers,
  ) {}

  /** Number of subscriptions to topics. */
  get size(): number {
    return this.#subscriptions.size
  }

  list(): void {
    const requests = Array.from(this.#subscriptions, ([id, { request }]) => [id, request] as const)
    this.connection.send(subscriptionsMessage(requests))
  }

  subscribe(request: SubscribeRequest, account: Account) {
    const id = subscriptionId(request)
    if (this.#subscriptions.has(id)) return this.answers.refuse(request.id, duplicateSubscription(id))
    const subscription: Subscription = {
      ...{ request, account, indicator: request.query.indicator },
      ...{ isCounted: false, topic: undefined, channel: undefined, stop() {} },
    }
    this.#subscriptions.set(id, subscription)
    this.#reserve(subscription, subscriptionKey(request), {
      isWanted: () => this.#subscriptions.get(id) === subscription,
      begin: () => this.#acquire(id, subscription),
      refuse: refusal => this.#refuse(id, subscription, refusal),
    })
  }

  unsubscribe(id: string) {
    // The listed id is matched in any case: `1M` may mean a minute if no subscription to months exists.
    const key = [normalId(id), id.toLowerCase()].find(known => this.#subscriptions.has(known)) ?? id
    const subscription = this.#subscriptions.get(key)
    if (subscription) return this.#end(key, subscription)
    // The client's own id is enough if a single subscription has it.
    const own = [...this.#subscriptions].filter(([, each]) => sameId(each.request.id, id))
    const [only, second] = own
    if (only && !second) this.#end(...only)
    else
      this.answers.refuse(
        id,
        subscriptionNotFound(
          id,
          own.map(([composed]) => composed),
        ),
      )
  }

  /** Ends the subscriptions to topics whose market is gone, with the reason. */
  endTopics(topics: ReadonlySet<SessionTopic>, refusal: Refusal): void {
    for (const [id, subscription] of [...this.#subscriptions])
      if (subscription.topic !== undefined && topics.has(subscription.topic))
        this.#refuse(id, subscription, refusal)
  }

  beginScreen(asked: LiveScreenRequest, account: Account) {
    const key = screenKey(asked)
    if (this.#screens.has(key)) return this.answers.refuse(asked.id, duplicateScreen(asked.id))
    const { indicator } = asked.request.compiled.spec
    const screen: Followed = { account, indicator, isCounted: false, stop() {} }
    this.#screens.set(key, screen)
    const refuse = (refusal: Refusal) => {
      this.#screens.delete(key)
      this.#uncount(screen)
      this.answers.refuse(asked.id, refusal)
    }
    this.#reserve(screen, asked.key, {
      isWanted: () => this.#screens.get(key) === screen,
      begin: () => {
        const stop = this.#follow(asked, account, refuse)
        if (isRefusal(stop)) refuse(stop)
        else screen.stop = stop
      },
      refuse,
    })
  }

  endScreen(kind: LiveScreenRequest['kind'], id: string) {
    const key = screenKey({ kind, id })
    const screen = this.#screens.get(key)
    if (!screen) return this.answers.refuse(id, screenNotFound(id))
    this.#screens.delete(key)
    this.#release(screen)
  }

  /** Ends everything. The connection is closed, so the channels need not be left. */
  close(): void {
    const followed = [...this.#subscriptions.values(), ...this.#screens.values()]
    this.#subscriptions.clear()
    this.#screens.clear()
    for (const each of followed) this.#release(each)
  }

  /** Counts something for its account, then begins or refuses it, unless the client has ended it. */
  #reserve(
    followed: Followed,
    key: string,
    next: { isWanted(): boolean; begin(): void; refuse(refusal: Refusal): void },
  ): void {
    const { account, indicator } = followed
    const limit = this.host.reserveSubscription(account, key, indicator)
    const begun = whenKnown(limit, refusal => {
      const isWanted = next.isWanted()
      followed.isCounted = isWanted && !refusal
      if (followed.isCounted) next.begin()
      else if (!refusal) this.host.releaseSubscription(account, indicator)
      else if (isWanted) next.refuse(refusal)
    })
    Promise.resolve(begun).catch(error => this.host.onBug(error))
  }

  #release(followed: Followed): void {
    followed.stop()
    this.#uncount(followed)
  }

  #uncount({ account, indicator, isCounted }: Followed): void {
    if (isCounted) this.host.releaseSubscription(account, indicator)
  }

  /** Requests the topic of a counted subscription from the hub. */
  #acquire(id: string, subscription: Subscription) {
    const { request, account } = subscription
    const ending = new AbortController()
    subscription.stop = () => ending.abort()
    const begin = (topic: SessionTopic | Refusal) => this.#begin(id, subscription, topic)
    const fail = (error: unknown) => {
      this.host.onBug(error)
      begin(internal())
    }
    try {
      const caller = { accountId: account.id, signal: ending.signal }
      const begun = whenKnown(this.host.hub.acquire(request, caller), begin)
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
    if (!isWanted) return this.host.hub.release(topic)
    subscription.stop = () => this.host.hub.release(topic)
    const { id: own, candleClose } = subscription.request
    const current = topic.current(own, candleClose)
    if (isRefusal(current)) return this.#refuse(id, subscription, current)
    subscription.topic = topic
    subscription.channel = topic.join(own, candleClose)
    subscription.stop = () => {
      topic.leave(own, candleClose)
      this.host.hub.release(topic)
    }
    this.connection.subscribe(subscription.channel)
    this.connection.send(current)
  }

  #refuse(id: string, subscription: Subscription, refusal: Refusal): void {
    this.#end(id, subscription)
    this.answers.refuse(subscription.request.id, refusal)
  }

  #end(id: string, subscription: Subscription): void {
    this.#subscriptions.delete(id)
    if (subscription.channel !== undefined) this.connection.unsubscribe(subscription.channel)
    this.#release(subscription)
  }

  /** Sends the results of a screen from now on. The next message to a slow client includes the changes that it missed. */
  #follow(asked: LiveScreenRequest, account: Account, onRefusal: (refusal: Refusal) => void) {
    const { kind, id } = asked
    return this.host.screens.follow(asked, account, {
      onProgress: (done, total) => void this.answers.send(screenPending(kind, id, done, total)),
      onUpdate: update => {
        if (this.answers.send(screenMessage(kind, id, update))) update.sent()
      },
      onRefusal,
    })
  }
}

const screenKey = ({ kind, id }: Pick<LiveScreenRequest, 'kind' | 'id'>): string => `${kind} ${id}`
