import type { BulkClient } from './bulk.js'
import { Continuity } from './continuity.js'
import { CandelaError } from './errors.js'
import type { Followed } from './stream.js'
import type { FollowedMessage } from './stream-messages.js'
import type { Subscription, Update } from './types.js'
import { UpdateQueue } from './unread.js'

/** Refuses duplicate subscription ids, because updates are matched by id. The service ignores the case of ids. */
function refuseDuplicates(subscriptions: readonly Subscription[]): void {
  const ids = new Set<string>()
  for (const { id } of subscriptions) {
    if (ids.has(id.toLowerCase())) throw new CandelaError(`Duplicate subscription id "${id}"`, 400)
    ids.add(id.toLowerCase())
  }
}

/** Followed subscriptions. Throws CandelaError if two of them have the same id. */
export class Subscriptions implements Followed<Update> {
  readonly requests: readonly object[]
  readonly unread = new UpdateQueue()
  readonly hasIds = true
  readonly #continuity: Continuity
  constructor(subscriptions: readonly Subscription[], bulk: BulkClient) {
    refuseDuplicates(subscriptions)
    this.#continuity = new Continuity(subscriptions, bulk, update => this.unread.push(update))
    this.requests = subscriptions.map(
      ({ id, exchange, symbol, timeframe, adjustment, indicator, params, chart, candleClose, settled }) => {
        const market = { exchange, symbol, interval: timeframe, adjustment }
        return { type: 'subscribe', id, ...market, indicator, params, chart, candleClose, settled }
      },
    )
  }

  receive(message: FollowedMessage): boolean {
    if (message.type !== 'update') return false
    const { id, data, closed, age } = message
    this.#continuity.receive({ id, data, closed, ...(age !== undefined && { age }) })
    return true
  }

  isAccepted(id?: string): boolean {
    return this.#continuity.hasUpdates(id)
  }

  reset(): void {
    this.#continuity.reset()
  }
}
