import { type Followed, maxUnread } from './stream.js'
import type { FollowedMessage } from './stream-messages.js'
import type { AlertMessage } from './types.js'
import { Unread } from './unread.js'

/** Ids of alerts that are remembered; no fewer than alerts may be unread. */
const maxKnown = 2 * maxUnread

/**
 * The alerts of the key that have neither a webhook nor an e-mail address, in the order in which they came, each one once. The
 * service stores each until it is acknowledged, which is done when its reader has come back for the next one.
 */
export class AlertInbox implements Followed<AlertMessage> {
  readonly requests = [{ type: 'alerts', ack: true }]
  readonly answers: object[] = []
  readonly unread = new Unread<AlertMessage>()
  readonly hasIds = false
  /** The ids of the newest alerts, oldest first, and whether each was taken. */
  readonly #known = new Map<string, boolean>()
  #isAccepted = false
  /** Services of before do not know acknowledgements. */
  #acknowledges = false

  receive(message: FollowedMessage): boolean {
    if (message.type === 'alert') this.#push(message)
    else if (message.type === 'alerts_ok') {
      this.#isAccepted = true
      this.#acknowledges = message.ack === true
    } else return false
    return true
  }

  isAccepted(): boolean {
    return this.#isAccepted
  }

  /** Alerts that were read stay known: the service may send them again. */
  reset(): void {
    this.answers.length = 0
  }

  taken({ id }: AlertMessage): void {
    this.#known.set(id, true)
    if (this.#acknowledges) this.answers.push({ type: 'alert_ack', id })
  }

  #push(alert: AlertMessage): void {
    // Its acknowledgement has not arrived.
    if (this.#known.get(alert.id)) this.taken(alert)
    if (this.#known.has(alert.id)) return
    this.#known.set(alert.id, false)
    const [oldest] = this.#known.keys()
    if (this.#known.size > maxKnown) this.#known.delete(oldest as string)
    this.unread.put(alert.id, alert)
  }
}
