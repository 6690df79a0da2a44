import type { Scheduler } from '../runtime/scheduler.js'

/** Messages that may wait, in characters. */
const maxWaitingLength = 4 * 1024 * 1024
/** What a message counts beside its text, in characters, so that empty ones are bounded too. */
const messageOverhead = 64

export interface InboxHost {
  readonly scheduler: Scheduler
  /** Receives a message. It may throw. */
  receive(text: string): void
  /** Called with the error of a message that had waited, and with the rejection of a promise that `hold` got. */
  fail(error: unknown): void
}

/** The messages of one client, which are received in their order: at once where nothing keeps them waiting. */
export class Inbox {
  readonly #host: InboxHost
  readonly #waiting: string[] = []
  /** How many of `#waiting` have been received: taking each out by itself would move all others. */
  #receivedCount = 0
  #waitingLength = 0
  /** Whether messages have to wait for something to happen. */
  #isHeld = false
  /** Whether messages wait where a turn of the event loop has no time for them. */
  sharesTurns = false

  constructor(host: InboxHost) {
    this.#host = host
  }

  /** Receives a message, or keeps it waiting. False where too many wait already. */
  add(text: string): boolean {
    this.#holdWhereTurnIsOver()
    if (!this.#isHeld) {
      this.#host.receive(text)
      return true
    }
    const length = this.#waitingLength + text.length + messageOverhead
    if (length > maxWaitingLength) return false
    this.#waiting.push(text)
    this.#waitingLength = length
    return true
  }

  /** Messages wait until the promise is resolved. */
  hold(happened: Promise<void>): void {
    this.#isHeld = true
    happened.then(() => this.#receiveWaiting()).catch(error => this.#host.fail(error))
  }

  #holdWhereTurnIsOver(): void {
    if (!this.sharesTurns || this.#isHeld) return
    const { scheduler } = this.#host
    if (!scheduler.hasTime('messages')) this.hold(scheduler.next('messages'))
  }

  /** Receives what has waited, until one of the messages, or the end of the turn, keeps the others waiting. */
  #receiveWaiting(): void {
    this.#isHeld = false
    while (!this.#isHeld && this.#receivedCount < this.#waiting.length) {
      this.#host.receive(this.#take())
      if (this.#waiting.length > 0) this.#holdWhereTurnIsOver()
    }
  }

  /** Takes out the message that has waited the longest. */
  #take(): string {
    const text = this.#waiting[this.#receivedCount] as string
    this.#waitingLength -= text.length + messageOverhead
    this.#waiting[this.#receivedCount++] = ''
    if (2 * this.#receivedCount >= this.#waiting.length) {
      this.#waiting.splice(0, this.#receivedCount)
      this.#receivedCount = 0
    }
    return text
  }
}
