import type { AlertMessage } from './alert-types.js'
import { type Followed, maxUnread } from './stream.js'
import type { FollowedMessage } from './stream-messages.js'
import { Unread } from './unread.js'

/** Ids of alerts that are remembered; no fewer than alerts may be unread. */
const maxKnown = 2 * maxUnread

/** Alerts in the order in which they came, each one once. */
class UnreadAlerts extends Unread<AlertMessage> {
  readonly #alerts = new Set<AlertMessage>()
  /** The ids of the newest alerts, oldest first. */
  readonly #known = new Set<string>()

  get size(): number {
    return this.#alerts.size
  }

  push(alert: AlertMessage): void {
    if (this.#known.has(alert.id)) return
    this.#known.add(alert.id)
    if (this.#known.size > maxKnown) {
      for (const oldest of this.#known) {
        this.#known.delete(oldest)
        break
      }
    }
    this.#alerts.add(alert)
    this.wake()
  }

  *takeAll(): Generator<AlertMessage> {
    for (const alert of this.#alerts) {
      this.#alerts.delete(alert)
      yield alert
    }
  }
}

/**
 * The alerts of the key that have no webhook. While there is no connection the service keeps them; one counts as
 * delivered when it was sent, and no message says that it has arrived.
 */
export class AlertInbox implements Followed<AlertMessage> {
  readonly requests = [{ type: 'alerts' }]
  readonly unread = new UnreadAlerts()
  readonly hasIds = false
  #wasGiven = false

  receive(message: FollowedMessage): boolean {
    if (message.type === 'alert') this.unread.push(message)
    else if (message.type === 'alerts_ok') this.#wasGiven = true
    else return false
    return true
  }

  wasGiven(): boolean {
    return this.#wasGiven
  }

  /** What was read stays known: the service may send it again. */
  reset(): void {}
}
