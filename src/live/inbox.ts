import type { Scheduler } from '../runtime/scheduler.js'

/** Maximum total length of the waiting messages, in characters. */
const maxWaitingLength = 4 * 1024 * 1024
/** Characters that a message counts in addition to its text. Bounds the number of empty messages. */
const messageOverhead = 64

export interface InboxHost {
  readonly scheduler: Scheduler
  /** Receives a message. It may throw. */
  receive(text: string): void
  /** Called with the error of a message that had waited, or with the rejection of a promise passed to `hold`. */
  fail(error: unknown): void
}

/** Messages of one client, received in order. A message is received at once unless something holds it. */
export class Inbox {
  /** Waiting messages in order. An array would move all others when one is removed. */
  readonly #waiting = new Set<{ readonly text: string }>()
  #waitingLength = 0
  /** Whether messages wait for the promise passed to `hold`. */
  #isHeld = false
  /** Whether messages wait for another turn of the event loop when the current turn has no time left. */
  sharesTurns = false

  constructor(private readonly host: InboxHost) {}

  /** Receives a message or queues it. False if too many messages are waiting. */
  add(text: string): boolean {
    this.#holdWhereTurnIsOver()
    if (!this.#isHeld) {
      this.host.receive(text)
      return true
    }
    const length = this.#waitingLength + text.length + messageOverhead
    if (length > maxWaitingLength) return false
    this.#waiting.add({ text })
    this.#waitingLength = length
    return true
  }

  /** Queues messages until the promise resolves. */
  hold(happened: Promise<void>): void {
    this.#isHeld = true
    happened.then(() => this.#receiveWaiting()).catch(error => this.host.fail(error))
  }

  #holdWhereTurnIsOver(): void {
    if (!this.sharesTurns || this.#isHeld) return
    const { scheduler } = this.host
    if (!scheduler.hasTime('messages')) this.hold(scheduler.next('messages'))
  }

  /** Receives queued messages until one of them, or the end of the turn, holds the rest. */
  #receiveWaiting(): void {
    this.#isHeld = false
    for (const message of this.#waiting) {
      this.#waiting.delete(message)
      this.#waitingLength -= message.text.length + messageOverhead
      this.host.receive(message.text)
      if (this.#waiting.size > 0) this.#holdWhereTurnIsOver()
      if (this.#isHeld) return
    }
  }
}
