import type { TurnClock } from '../compute/turn-clock.js'

/** Characters of messages that may wait. */
const maxWaitingLength = 4 * 1024 * 1024

export interface InboxHost {
  /** The time that the messages of all clients may take in a turn of the event loop. */
  readonly turns: Pick<TurnClock, 'isOver' | 'next'>
  /** Receives a message. It may throw. */
  receive(text: string): void
  /** Called with what `receive` has thrown for a message that had waited, and with what `hold` waited for in vain. */
  fail(error: unknown): void
}

/** The messages of one client, which are received in their order: at once where nothing keeps them waiting. */
export class Inbox {
  readonly #host: InboxHost
  /** Undefined where nothing has to wait. */
  #waiting: string[] | undefined
  #waitingLength = 0
  /** Whether messages wait where a turn of the event loop has no time for them. */
  sharesTurns = false

  constructor(host: InboxHost) {
    this.#host = host
  }

  /** Receives a message, or keeps it waiting. False where too many wait already. */
  add(text: string): boolean {
    if (this.#mustWait()) this.hold(this.#host.turns.next())
    if (!this.#waiting) this.#host.receive(text)
    else if (this.#waitingLength + text.length > maxWaitingLength) return false
    else this.#keep(text, this.#waiting)
    return true
  }

  /** Has messages wait until something has happened. */
  hold(happened: Promise<void>): void {
    this.#waiting = []
    happened.then(() => this.#receiveWaiting()).catch(error => this.#host.fail(error))
  }

  #mustWait(): boolean {
    return this.sharesTurns && this.#waiting === undefined && this.#host.turns.isOver()
  }

  #keep(text: string, waiting: string[]): void {
    waiting.push(text)
    this.#waitingLength += text.length
  }

  /** Receives what has waited. What one of the messages, or the end of the turn, keeps waiting is received later. */
  #receiveWaiting(): void {
    const texts = this.#waiting ?? []
    this.#waiting = undefined
    this.#waitingLength = 0
    for (const [at, text] of texts.entries()) {
      if (at > 0 && this.#mustWait()) this.hold(this.#host.turns.next())
      // Set again by the message before this one, too.
      const waiting = this.#waiting as string[] | undefined
      if (waiting) this.#keep(text, waiting)
      else this.#host.receive(text)
    }
  }
}
