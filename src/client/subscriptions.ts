import type { BulkClient } from './bulk.js'
import { Continuity } from './continuity.js'
import { CandelaError } from './errors.js'
import type { Followed } from './stream.js'
import type { FollowedMessage, ListedSubscription, UpdateMessage } from './stream-messages.js'
import type { Subscription, Update } from './types.js'
import { UpdateQueue } from './unread.js'

/** Key of a computation: market, chart, indicator, all parameters in any order, and settled digits. */
const topicOf = (
  market: string,
  { indicator, params, chart, settled }: Omit<UpdateMessage, 'type' | 'subscription' | 'closed' | 'data'>,
): string => {
  const sorted = Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([market, chart, indicator, sorted, settled])
}

/** Refuses duplicate subscription ids, because updates are matched by id. The service ignores the case of ids. */
function refuseDuplicates(subscriptions: readonly Subscription[]): void {
  const ids = new Set<string>()
  for (const { id } of subscriptions) {
    if (ids.has(id.toLowerCase())) throw new CandelaError(`Duplicate subscription id "${id}"`, 400)
    ids.add(id.toLowerCase())
  }
}

/**
 * Followed subscriptions. Requests the list of subscriptions, because updates name all parameters and a caller may omit
 * some. Throws CandelaError if two subscriptions have the same id.
 */
export class Subscriptions implements Followed<Update> {
  readonly requests: readonly object[]
  readonly unread = new UpdateQueue()
  readonly hasIds = true
  readonly #continuity: Continuity
  /** Subscriptions by topic. Undefined until this connection has listed its subscriptions. */
  #followers: Map<string, Subscription[]> | undefined
  /** Updates that arrived before the list. */
  #early: UpdateMessage[] = []

  constructor(
    private readonly subscriptions: readonly Subscription[],
    bulk: BulkClient,
  ) {
    refuseDuplicates(subscriptions)
    this.#continuity = new Continuity(subscriptions, bulk, update => this.unread.push(update))
    const requests = subscriptions.map(
      ({ id, exchange, symbol, timeframe, adjustment, indicator, params, chart, candleClose, settled }) => {
        const market = { exchange, symbol, interval: timeframe, adjustment }
        return { type: 'subscribe', id, ...market, indicator, params, chart, candleClose, settled }
      },
    )
    this.requests = [...requests, { type: 'list' }]
  }

  receive(message: FollowedMessage): boolean {
    if (message.type === 'subscriptions' && !this.#followers) this.#list(message.data)
    if (message.type !== 'update') return false
    if (this.#followers) this.#emit(message, this.#followers)
    else this.#early.push(message)
    return true
  }

  isAccepted(id?: string): boolean {
    return this.#continuity.hasUpdates(id)
  }

  reset(): void {
    this.#followers = undefined
    this.#early = []
    this.#continuity.reset()
  }

  #list(listed: readonly ListedSubscription[]): void {
    const followers = new Map<string, Subscription[]>()
    for (const each of listed) {
      const { id, exchange, symbol, interval } = each
      const prefix = `${exchange}_${symbol}_${interval}_`.length
      const own = this.subscriptions.find(given => given.id.toLowerCase() === id.slice(prefix))
      if (!own) continue
      const topic = topicOf(`${`${exchange}:${symbol}`.toLowerCase()}:${interval}`, each)
      followers.set(topic, [...(followers.get(topic) ?? []), own])
    }
    this.#followers = followers
    for (const message of this.#early) this.#emit(message, followers)
    this.#early = []
  }

  #emit(message: UpdateMessage, followers: ReadonlyMap<string, readonly Subscription[]>): void {
    const { subscription, closed, data, age } = message
    for (const own of followers.get(topicOf(subscription, message)) ?? []) {
      if (!closed && own.candleClose) continue
      this.#continuity.receive({
        ...{ id: own.id, indicator: own.indicator, data, closed },
        ...(age !== undefined && { age }),
      })
    }
  }
}
