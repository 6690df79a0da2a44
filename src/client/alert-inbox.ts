import type { AlertMessage } from './alert-types.js'
import { type Followed, maxUnread } from './stream.js'
import type { FollowedMessage } from './stream-messages.js'
import { Unread } from './unread.js'

/** Ids of alerts that are remembered; no fewer than alerts may be unread. */
const maxKnown = 2 * maxUnread

/**
 * The alerts of the key that have no webhook, in the order in which they came, each one once. While there is no connection
 * the service stores them; an alert counts as delivered when it was sent: nothing confirms its arrival.
 */
export class AlertInbox implements Followed<AlertMessage> {
  readonly requests = [{ type: 'alerts' }]
  readonly unread = new Unread<AlertMessage>()
  readonly hasIds = false
  /** The ids of the newest alerts, oldest first. */
  readonly #known = new Set<string>()
  #isAccepted = false

  receive(message: FollowedMessage): boolean {
    if (message.type === 'alert') this.#push(message)
    else if (message.type === 'alerts_ok') this.#isAccepted = true
    else return false
    return true
  }

  isAccepted(): boolean {
    return this.#isAccepted
  }

  /** Alerts that were read stay known: the service may send them again. */
  reset(): void {}

  #push(alert: AlertMessage): void {
    if (this.#known.has(alert.id)) return
    this.#known.add(alert.id)
    const [oldest] = this.#known
    if (this.#known.size > maxKnown) this.#known.delete(oldest as string)
    this.unread.put(alert.id, alert)
  }
}
