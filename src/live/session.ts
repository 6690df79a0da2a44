import type { Expressions } from '../compute/expressions/expressions.js'
import { type Account, hasLostScope } from '../contract/account.js'
import type { Connection } from '../contract/connection.js'
import { maxMessageBytes, maxUnreadSeconds } from '../contract/limits.js'
import {
  alreadyAuthenticated,
  closeCodes,
  isRefusal,
  notAuthenticated,
  type Refusal,
  tooManyMessages,
} from '../contract/refusals.js'
import type { Scheduler } from '../runtime/scheduler.js'
import { whenKnown } from '../runtime/when-known.js'
import { Inbox } from './inbox.js'
import {
  authError,
  authenticated,
  errorMessage,
  type InvalidMessage,
  listening,
  type Message,
  readMessage,
  readToken,
} from './protocol.js'
import { SessionSubscriptions, type SessionTopic, type SubscriptionsHost } from './session-subscriptions.js'

/** Maximum time that a slow client may miss updates, in milliseconds. Then its session is closed. */
const maxSlowMs = maxUnreadSeconds * 1000
/** Maximum time that a slow client may leave even the close frame unread, in milliseconds. Then its connection is cut. */
const maxUnresponsiveMs = 30_000

export interface SessionHost extends SubscriptionsHost {
  readonly expressions: Expressions
  /** Average number of messages per second that a client may send. */
  readonly messagesPerSecond: number
  /** Monotonic clock in milliseconds. */
  readonly clock: () => number
  readonly scheduler: Scheduler
  /** Sessions that miss updates. They are closed later, because no session may be closed while updates are being sent. */
  readonly slow: Set<Session>
  /**
   * Looks up the account of a token, and registers the token for the session. Errors of the account store are thrown,
   * or reject the promise.
   */
  authenticate(session: Session, token: string): Account | Refusal | Promise<Account | Refusal>
  /**
   * Sends the alerts of an account to a session from now on. With `acknowledges`, each alert is kept until the session
   * acknowledges it.
   */
  listen(session: Session, account: Account, acknowledges: boolean): void
  acknowledge(session: Session, id: string): void
  /** Must be called when a session that missed updates can receive messages again. */
  caughtUp(session: Session): void
}

/** One client: its account, and how fast it sends and reads. */
export class Session {
  readonly #subscriptions: SessionSubscriptions
  readonly #inbox: Inbox
  #account: Account | undefined
  #isEnded = false
  /** Messages, pings and pongs that the client may send at once. Grows with time, and is negative while too many are sent. */
  #allowance: number
  #allowanceAt: number
  /** Time at which updates began to be skipped because the client reads slowly. */
  #slowSince: number | undefined

  constructor(
    private readonly connection: Connection,
    private readonly host: SessionHost,
  ) {
    this.#allowance = host.messagesPerSecond
    this.#allowanceAt = host.clock()
    this.#inbox = new Inbox({
      scheduler: host.scheduler,
      receive: text => this.#receiveText(text),
      fail: error => {
        host.onBug(error)
        this.end(closeCodes().internal)
      },
    })
    this.#subscriptions = new SessionSubscriptions(host, connection, {
      send: text => this.#sendUnlessSlow(text),
      refuse: (id, refusal) => this.#sendError(id, refusal),
    })
  }

  get subscriptions(): number {
    return this.#subscriptions.size
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  get accountId(): string | undefined {
    return this.#account?.id
  }

  receive(message: Uint8Array, isBinary: boolean) {
    if (this.#isEnded) return
    const { binary, tooLarge, tooManyMessages: tooMany } = closeCodes()
    if (isBinary) return this.end(binary)
    if (message.byteLength > maxMessageBytes) return this.end(tooLarge)
    const text = Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString()
    if (!this.#inbox.add(text)) this.end(tooMany)
  }

  /** Counts a ping or a pong like a message. The WebSocket library has already answered it. */
  receiveControl() {
    if (this.#isEnded) return
    this.#spendAllowance()
    if (this.#hasSentTooMuch) this.end(closeCodes().tooManyMessages)
  }

  get #hasSentTooMuch(): boolean {
    return this.#allowance < -this.host.messagesPerSecond
  }

  #receiveText(text: string) {
    if (this.#isEnded) return
    this.#spendAllowance()
    const { messagesPerSecond } = this.host
    if (this.#hasSentTooMuch) return this.end(closeCodes().tooManyMessages)
    if (this.#allowance < 0) return this.#sendError(null, tooManyMessages(messagesPerSecond))
    const account = this.#account
    if (account) return this.#dispatch(readMessage(text, this.host.expressions, account), account)
    const token = readToken(text)
    if (token === undefined) this.connection.send(authError(notAuthenticated()))
    else this.#authenticate(token)
  }

  /** Sends an alert of the account. Returns whether it was sent. */
  sendAlert(text: string): boolean {
    return this.connection.send(text)
  }

  /** Must be called when an update was skipped because too many bytes are unread. */
  skipped(): void {
    this.host.slow.add(this)
    this.#slowSince ??= this.host.clock()
  }

  /**
   * Must be called when the client has read enough to receive messages again. `isCaughtUp` means that little is left
   * unread.
   */
  drained(isCaughtUp: boolean): void {
    if (this.#slowFor > maxSlowMs) this.end(closeCodes().tooSlow)
    else if (isCaughtUp) this.#markCaughtUp()
  }

  /** Cuts the connection of a client that has read nothing for too long. */
  cutIfUnresponsive(): void {
    if (this.#slowFor <= maxUnresponsiveMs) return
    this.ended()
    this.connection.cut()
  }

  get #slowFor(): number {
    return this.#slowSince === undefined ? 0 : this.host.clock() - this.#slowSince
  }

  #markCaughtUp(): void {
    if (!this.host.slow.delete(this)) return
    this.#slowSince = undefined
    if (!this.#isEnded) this.host.caughtUp(this)
  }

  end({ code, reason }: { readonly code: number; readonly reason: string }): void {
    this.ended()
    this.connection.close(code, reason)
  }

  /** Ends the subscriptions to topics whose market is gone, with the reason. */
  endSubscriptions(topics: ReadonlySet<SessionTopic>, refusal: Refusal): void {
    this.#subscriptions.endTopics(topics, refusal)
  }

  /** Replaces the account by its current state. A session whose key has lost a scope ends. */
  renew(account: Account): void {
    if (this.#account && hasLostScope(this.#account, account)) this.end(closeCodes().outOfScope)
    else this.#account = account
  }

  /** Releases everything. Must be called when the connection is closed. */
  ended(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#markCaughtUp()
    this.#subscriptions.close()
  }

  /** Takes one message off the allowance. An authenticated client may make all its subscriptions at once. */
  #spendAllowance(): void {
    const { clock, messagesPerSecond } = this.host
    const now = clock()
    const maxAllowance = messagesPerSecond + (this.#account?.subscriptions ?? 0)
    const gained = ((now - this.#allowanceAt) * messagesPerSecond) / 1000
    this.#allowance = Math.min(maxAllowance, this.#allowance + gained) - 1
    this.#allowanceAt = now
  }

  #dispatch(message: Message | InvalidMessage, account: Account) {
    switch (message.type) {
      case 'auth':
        return this.#sendError(null, alreadyAuthenticated())
      case 'invalid':
        return this.#sendError(message.id, message.refusal)
      case 'list':
        return this.#subscriptions.list()
      case 'alerts':
        this.connection.send(listening(message.ack))
        return this.host.listen(this, account, message.ack)
      case 'alert_ack':
        return this.host.acknowledge(this, message.id)
      case 'unsubscribe':
        return this.#subscriptions.unsubscribe(message.id)
      case 'subscribe':
        return this.#subscriptions.subscribe(message.request, account)
      case 'screen':
      case 'breadth':
        return this.#subscriptions.beginScreen(message.request, account)
      case 'screen_stop':
        return this.#subscriptions.endScreen('screen', message.id)
      case 'breadth_stop':
        return this.#subscriptions.endScreen('breadth', message.id)
    }
  }

  #authenticate(token: string) {
    const begun = whenKnown(this.host.authenticate(this, token), account => this.#setAccount(account))
    if (begun !== undefined) this.#inbox.hold(begun)
  }

  #setAccount(account: Account | Refusal): void {
    if (this.#isEnded) return
    if (isRefusal(account)) {
      this.connection.send(authError(account))
      return
    }
    this.#account = account
    // Messages without a key cost little, so turns are shared only from now on.
    this.#inbox.sharesTurns = true
    this.#allowance += account.subscriptions
    this.connection.send(authenticated)
  }

  /** Sends a text unless the client is slow. Returns whether it was sent. */
  #sendUnlessSlow(text: string): boolean {
    const { slow } = this.host
    if (!slow.has(this)) this.connection.send(text)
    return !slow.has(this)
  }

  #sendError(id: string | null, refusal: Refusal): void {
    this.connection.send(errorMessage(id, refusal))
  }
}
