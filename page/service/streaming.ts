import type { Firing } from '../model/alert-book.js'
import type { BreadthMessage } from '../model/breadth-line.js'
import type { ScreenMessage } from '../model/screen-state.js'
import type { Market, Parameters } from '../view/view.js'
import { backoffMs } from './backoff.js'

/** A value of a subscription as the service sends it. */
export interface Update {
  /** Lower case, `exchange:symbol:timeframe`. */
  readonly subscription: string
  readonly indicator?: string
  /** All parameters, defaults included. */
  readonly params?: Parameters
  readonly closed?: boolean
  readonly data: Readonly<Record<string, unknown>> & { readonly timestamp: number }
}

/** A subscription of the page. */
export interface Subscription {
  /** Chosen by the page, never reused. */
  readonly id: string
  readonly market: Market
  readonly indicator: string
  readonly params: Parameters
}

/** A live question over many markets, until another one of its kind replaces it. */
interface LiveQuestion<Message> {
  /** Chosen by the page, never reused. */
  readonly id: string
  /** The fields of its message to the service. */
  readonly request: object
  /** Receives the messages of the service; an error ends the question. */
  readonly onMessage: (message: Message) => void
}

export type LiveScreen = LiveQuestion<ScreenMessage>
export type LiveBreadth = LiveQuestion<BreadthMessage>
type QuestionKind = 'screen' | 'breadth'

export type StreamState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open' }
  /** The connection was lost; `failures` attempts in a row have failed, the next one comes at `retryAt`. */
  | {
      readonly kind: 'waiting'
      readonly failures: number
      readonly retryAt: number
      readonly isStopped: boolean
    }
  | { readonly kind: 'refused'; readonly error: string }

/** The used part of a WebSocket. */
export type Socket = Pick<WebSocket, 'send' | 'close' | 'onopen' | 'onmessage' | 'onclose'>

interface Options {
  readonly url: string
  readonly key: () => string | undefined
  readonly onState: (state: StreamState) => void
  readonly onUpdate: (update: Update) => void
  /** A subscription was refused; the others are not affected. */
  readonly onRefused: (id: string, error: string) => void
  readonly onAlert: (firing: Firing) => void
  readonly connect?: (url: string) => Socket
  readonly now?: () => number
  readonly random?: () => number
}

/** RFC 6455: the server goes away. The service sends this code before it stops. */
const goingAway = 1001
/** The service's code for a key that is no longer valid. */
const inactiveKey = 4401
/** Silence after which the connection is checked, and closed without a reply. */
const silenceMs = 45_000
const answerMs = 10_000

/** The service's id for a subscription that is to end. */
const composedId = ({ id, market }: Subscription) =>
  `${`${market.exchange}_${market.symbol}`.toLowerCase()}_${market.timeframe}_${id.toLowerCase()}`

/** One connection to `/streaming` with all subscriptions, which reconnects after each loss. */
export class Streaming {
  readonly #options: Options
  #socket: Socket | undefined
  #isOpen = false
  #wanted = new Map<string, Subscription>()
  readonly #questions = new Map<QuestionKind, LiveScreen | LiveBreadth>()
  #wantsAlerts = false
  #failures = 0
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #silenceTimer: ReturnType<typeof setTimeout> | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Opens the connection immediately, instead of at the end of a wait; does nothing while it is open. */
  open(): void {
    clearTimeout(this.#retryTimer)
    this.#retryTimer = undefined
    const key = this.#options.key()
    if (this.#socket || key === undefined) return
    this.#options.onState({ kind: 'connecting' })
    const { connect = (url: string): Socket => new WebSocket(url), url } = this.#options
    const socket = connect(url)
    this.#socket = socket
    socket.onopen = () => this.#send({ type: 'auth', token: `Bearer ${key}` })
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket) this.#receive(String(data))
    }
    socket.onclose = ({ code }) => {
      if (this.#socket === socket) this.#lost(code)
    }
  }

  /** Closes the connection for good. */
  close(): void {
    clearTimeout(this.#retryTimer)
    this.#drop()
    this.#failures = 0
    this.#options.onState({ kind: 'idle' })
  }

  /** Replaces the subscriptions. */
  follow(subscriptions: readonly Subscription[]): void {
    const before = this.#wanted
    this.#wanted = new Map(subscriptions.map(subscription => [subscription.id, subscription]))
    if (!this.#isOpen) return
    for (const [id, subscription] of before)
      if (!this.#wanted.has(id)) this.#send({ type: 'unsubscribe', id: composedId(subscription) })
    for (const [id, subscription] of this.#wanted) if (!before.has(id)) this.#subscribe(subscription)
  }

  /** Replaces the live screen, which restarts after a lost connection. */
  screen(screen: LiveScreen | undefined): void {
    this.#askAgain('screen', screen)
  }

  /** Replaces the live breadth. */
  breadth(breadth: LiveBreadth | undefined): void {
    this.#askAgain('breadth', breadth)
  }

  /** Starts to receive messages of alerts: all that no other connection of the key has been sent. */
  alerts(): void {
    if (this.#wantsAlerts) return
    this.#wantsAlerts = true
    if (this.#isOpen) this.#send({ type: 'alerts' })
  }

  #askAgain(kind: QuestionKind, question: LiveScreen | LiveBreadth | undefined): void {
    const before = this.#questions.get(kind)
    if (question) this.#questions.set(kind, question)
    else this.#questions.delete(kind)
    if (!this.#isOpen) return
    if (before) this.#send({ type: `${kind}_stop`, id: before.id })
    if (question) this.#ask(kind, question)
  }

  #ask(kind: QuestionKind, { id, request }: LiveScreen | LiveBreadth): void {
    this.#send({ ...request, type: kind, id })
  }

  #drop(): void {
    clearTimeout(this.#silenceTimer)
    const socket = this.#socket
    this.#socket = undefined
    this.#isOpen = false
    socket?.close()
  }

  #subscribe({ id, market, indicator, params }: Subscription): void {
    const { exchange, symbol, timeframe } = market
    this.#send({ type: 'subscribe', id, exchange, symbol, interval: timeframe, indicator, params })
  }

  #send(message: object): void {
    this.#socket?.send(JSON.stringify(message))
  }

  #receive(text: string): void {
    this.#expectMessage()
    const message = JSON.parse(text)
    switch (message.type) {
      case 'update':
        this.#options.onUpdate(message)
        break
      case 'auth_ok':
        this.#isOpen = true
        this.#failures = 0
        this.#options.onState({ kind: 'open' })
        for (const subscription of this.#wanted.values()) this.#subscribe(subscription)
        for (const [kind, question] of this.#questions) this.#ask(kind, question)
        if (this.#wantsAlerts) this.#send({ type: 'alerts' })
        break
      case 'alert':
        this.#options.onAlert(message)
        break
      case 'auth_error':
        this.#drop()
        this.#options.onState({ kind: 'refused', error: message.error })
        break
      case 'screen_pending':
      case 'screen_ok':
      case 'screen_update':
      case 'breadth_pending':
      case 'breadth_ok':
      case 'breadth_update':
        this.#asked(message.id)?.[1].onMessage(message as never)
        break
      case 'error':
        this.#refused(message)
    }
  }

  /** The question with this id, and its kind. */
  #asked(id: string): readonly [QuestionKind, LiveScreen | LiveBreadth] | undefined {
    return [...this.#questions].find(([, question]) => question.id === id)
  }

  #refused(message: ScreenMessage & { readonly type: 'error'; readonly id: string }): void {
    const asked = this.#asked(message.id)
    if (asked) {
      const [kind, question] = asked
      this.#questions.delete(kind)
      question.onMessage(message)
    } else if (this.#wanted.has(message.id)) this.#options.onRefused(message.id, message.error)
  }

  /**
   * Checks the connection after silence, because it may be dead without a sign, for example after the computer has slept.
   */
  #expectMessage(): void {
    clearTimeout(this.#silenceTimer)
    this.#silenceTimer = setTimeout(() => {
      this.#send({ type: 'list' })
      this.#silenceTimer = setTimeout(() => {
        this.#drop()
        this.#lost(0)
      }, answerMs)
    }, silenceMs)
  }

  #lost(code: number): void {
    this.#drop()
    if (code === inactiveKey) {
      this.#options.onState({ kind: 'refused', error: 'The key was revoked.' })
      return
    }
    const { now = Date.now, random, onState } = this.#options
    const ms = backoffMs(this.#failures, random)
    this.#failures++
    this.#retryTimer = setTimeout(() => this.open(), ms)
    const isStopped = code === goingAway || this.#failures > 3
    onState({ kind: 'waiting', failures: this.#failures, retryAt: now() + ms, isStopped })
  }
}
