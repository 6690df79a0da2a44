import { authenticationSeconds } from '../contract/limits.js'
import {
  closeCodes,
  isRefusal,
  type Refusal,
  stopping,
  tooManyConnections,
  tooManySubscriptionsForPlan,
} from '../contract/refusals.js'
import type { Account } from '../store/store.js'
import type { Hub, Publish } from './hub.js'
import { type Connection, Session, type SessionHost } from './session.js'

/** How long a connection may be without a key, in milliseconds. */
const authenticationMs = authenticationSeconds * 1000
/** How often the connections are looked after, in milliseconds. */
const sweepMs = 500
/** In so many patrols the key of every open connection is looked at again: a revocation counts within seconds. */
const sweepsPerRecheck = 4

interface Options {
  readonly hub: Hub
  readonly access: { authenticate(header: string): Account | Refusal }
  readonly maxConnections: number
  /** Connections without a key at a time. */
  readonly maxUnauthenticated: number
  readonly messagesPerSecond: number
  /** Milliseconds from any moment, never going back. */
  readonly clock: () => number
  readonly onBug: (error: unknown) => void
}

/** The sessions of all clients: who may come in, who must leave, and what each key holds over all its connections. */
export class SessionRegistry implements SessionHost {
  readonly hub: Hub
  readonly messagesPerSecond: number
  readonly clock: () => number
  readonly slow = new Set<Session>()
  readonly onBug: (error: unknown) => void
  readonly #options: Options
  /** Connections that have not said who they are, with the moment by which they must. */
  readonly #unauthenticated = new Map<Session, number>()
  /** Sessions by their token. */
  readonly #sessionsByKey = new Map<string, Set<Session>>()
  readonly #tokens = new Map<Session, string>()
  /** Subscriptions by account id. */
  readonly #taken = new Map<string, number>()
  #subscriptions = 0
  readonly #timer: NodeJS.Timeout
  /** The keys that are to be looked at again, from where the last patrol ended. */
  #unchecked: MapIterator<[token: string, sessions: Set<Session>]>
  #isStopping = false

  constructor(options: Options) {
    this.#options = options
    this.hub = options.hub
    this.messagesPerSecond = options.messagesPerSecond
    this.clock = options.clock
    this.onBug = options.onBug
    this.#unchecked = this.#sessionsByKey.entries()
    this.#timer = setInterval(() => this.#sweep(), sweepMs)
    this.#timer.unref()
  }

  get connections(): number {
    return this.#unauthenticated.size + this.#tokens.size
  }

  get subscriptions(): number {
    return this.#subscriptions
  }

  publishTo(publish: Publish): void {
    this.hub.publishTo(publish)
  }

  /** Whether one more may connect. */
  refuse(): Refusal | undefined {
    if (this.#isStopping) return stopping(1)
    const { maxConnections, maxUnauthenticated } = this.#options
    const isFull = this.connections >= maxConnections || this.#unauthenticated.size >= maxUnauthenticated
    return isFull ? tooManyConnections(1) : undefined
  }

  /** A client has connected. `ended` must be called once when it has gone. */
  open(wire: Connection): Session {
    const session = new Session(wire, this)
    this.#unauthenticated.set(session, this.clock() + authenticationMs)
    return session
  }

  ended(session: Session): void {
    session.ended()
    this.#unauthenticated.delete(session)
    const token = this.#tokens.get(session)
    if (token === undefined) return
    this.#tokens.delete(session)
    const guests = this.#sessionsByKey.get(token)
    guests?.delete(session)
    if (guests?.size === 0) this.#sessionsByKey.delete(token)
  }

  authenticate(session: Session, token: string): Account | Refusal {
    const account = this.#options.access.authenticate(token)
    if (isRefusal(account)) return account
    this.#unauthenticated.delete(session)
    this.#tokens.set(session, token)
    const guests = this.#sessionsByKey.get(token) ?? new Set()
    this.#sessionsByKey.set(token, guests.add(session))
    return account
  }

  reserveSubscription({ id, subscriptions }: Account): Refusal | undefined {
    const taken = this.#taken.get(id) ?? 0
    if (taken >= subscriptions) return tooManySubscriptionsForPlan(subscriptions)
    this.#taken.set(id, taken + 1)
    this.#subscriptions++
    return undefined
  }

  releaseSubscription({ id }: Account): void {
    const left = (this.#taken.get(id) ?? 0) - 1
    if (left > 0) this.#taken.set(id, left)
    else this.#taken.delete(id)
    this.#subscriptions--
  }

  /** Lets nobody in any more; those who are there are for the server to close. */
  close(): void {
    this.#isStopping = true
    clearInterval(this.#timer)
  }

  /** Sends away who did not say who they are, and whose key was revoked. */
  #sweep(): void {
    const now = this.clock()
    const { unauthenticated } = closeCodes()
    // The oldest come first.
    for (const [session, until] of this.#unauthenticated) {
      if (until > now) break
      session.end(unauthenticated)
    }
    for (const session of this.slow) session.cutIfUnresponsive()
    for (let left = Math.ceil(this.#sessionsByKey.size / sweepsPerRecheck); left > 0; left--) {
      const { value, done } = this.#unchecked.next()
      if (done) {
        this.#unchecked = this.#sessionsByKey.entries()
        break
      }
      this.#recheck(...value)
    }
  }

  /** Sends the sessions of a key away when it was revoked. */
  #recheck(token: string, sessions: Set<Session>): void {
    try {
      if (!isRefusal(this.#options.access.authenticate(token))) return
      const { inactive } = closeCodes()
      for (const session of [...sessions]) session.end(inactive)
    } catch (error) {
      this.onBug(error)
    }
  }
}
