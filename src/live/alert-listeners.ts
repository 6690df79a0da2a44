import { Groups } from '../runtime/groups.js'
import type { Session } from './session.js'

/** What has become of an alert that was to be sent: no client is there, one has got it, or one is to acknowledge it. */
export type SentAlert = 'none' | 'received' | 'awaited'

/** Called once with whether an alert was acknowledged: not where all clients that were to do it are gone. */
export type OnAcknowledged = (isAcknowledged: boolean) => void

/** An alert that sessions are to acknowledge. */
interface Awaited {
  sessions: number
  readonly end: OnAcknowledged
}

/** The sessions that are sent alerts, and the alerts that they have yet to acknowledge. */
export class AlertListeners {
  readonly #byAccount = new Groups<Session>()
  /** Of the sessions that acknowledge alerts, what they have yet to acknowledge, by the ids of messages. */
  readonly #awaited = new Map<Session, Map<string, Awaited>>()

  add(session: Session, accountId: string, acknowledges: boolean): void {
    this.#byAccount.add(accountId, session)
    if (acknowledges && !this.#awaited.has(session)) this.#awaited.set(session, new Map())
  }

  has(session: Session): boolean {
    return this.#byAccount.of(session.accountId ?? '').has(session)
  }

  /** To be called when a session is over. */
  delete(session: Session): void {
    this.#byAccount.delete(session.accountId ?? '', session)
    const awaited = this.#awaited.get(session)
    this.#awaited.delete(session)
    for (const each of awaited?.values() ?? []) if (--each.sessions === 0) each.end(false)
  }

  /** Sends an alert to the sessions of an account that `mayBeSent` allows. It is awaited where one of them acknowledges alerts. */
  send(
    accountId: string,
    { id, body }: { readonly id: string; readonly body: string },
    end: OnAcknowledged,
    mayBeSent: (session: Session) => boolean,
  ): SentAlert {
    const alert: Awaited = { sessions: 0, end }
    let isReceived = false
    for (const session of [...this.#byAccount.of(accountId)]) {
      if (!mayBeSent(session) || !session.sendAlert(body)) continue
      const awaited = this.#awaited.get(session)
      if (awaited) {
        alert.sessions++
        awaited.set(id, alert)
      } else isReceived = true
    }
    if (alert.sessions > 0) return 'awaited'
    return isReceived ? 'received' : 'none'
  }

  /** A client has taken an alert. An id that is not awaited is ignored: it may have been sent to several, or long ago. */
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
