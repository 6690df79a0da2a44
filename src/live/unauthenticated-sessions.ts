import { Groups } from '../runtime/groups.js'
import type { Session } from './session.js'

interface Options {
  /** How many there may be at a time. */
  readonly total: number
  /** How many there may be of one address. */
  readonly perAddress: number
}

interface Entry {
  readonly address: string
  /** Until when the session must authenticate. */
  readonly until: number
}

/** The sessions without a key, oldest first. */
export class UnauthenticatedSessions {
  readonly #options: Options
  readonly #entries = new Map<Session, Entry>()
  readonly #byAddress = new Groups<Session>()

  constructor(options: Options) {
    this.#options = options
  }

  get size(): number {
    return this.#entries.size
  }

  add(session: Session, address: string, until: number): void {
    this.#entries.set(session, { address, until })
    this.#byAddress.add(address, session)
  }

  delete(session: Session): void {
    const entry = this.#entries.get(session)
    if (!entry) return
    this.#entries.delete(session)
    this.#byAddress.delete(entry.address, session)
  }

  /** Takes out the session that makes room for another one of this address; undefined where there is room. */
  displace(address: string): Session | undefined {
    const { total, perAddress } = this.#options
    const sameAddress = this.#byAddress.of(address)
    if (sameAddress.size >= perAddress) return this.#take(sameAddress)
    return this.#entries.size >= total ? this.takeOldest() : undefined
  }

  /** Takes out the oldest session. */
  takeOldest(): Session | undefined {
    return this.#take(this.#entries.keys())
  }

  /** Takes out the sessions that have not authenticated in time. */
  *takeOverdue(now: number): Iterable<Session> {
    for (const [session, { until }] of this.#entries) {
      if (until > now) return
      this.delete(session)
      yield session
    }
  }

  #take(sessions: Iterable<Session>): Session | undefined {
    for (const session of sessions) {
      this.delete(session)
      return session
    }
    return undefined
  }
}
