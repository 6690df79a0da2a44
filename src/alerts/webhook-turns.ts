import { backoffMs } from '../runtime/backoff.js'
import { FairQueue } from '../runtime/fair-queue.js'
import { Counts } from '../runtime/groups.js'
import { maxBackoffMs, type RunnerSettings } from './runner-options.js'

/** Target of attempts: the webhooks of an account at one host. */
export interface Destination {
  readonly account: string
  readonly host: string
}

/** Result of an attempt: an answer or a network error, a timeout, or no attempt. */
export type AttemptEnd = 'answered' | 'silent' | 'not made'

/** `backoffMs` is the first pause for a destination that has not answered. */
type Settings = Pick<RunnerSettings, 'concurrency' | 'backoffMs'>

interface Route extends Destination {
  /** Waiting attempts, in order of arrival. */
  readonly waiting: Set<() => void>
  active: number
  /** Number of consecutive timeouts. */
  silences: number
  /** Timer of the pause after a timeout. */
  pause: NodeJS.Timeout | undefined
  /** Whether the route is in the queue: an attempt waits, and the destination may be tried. */
  isQueued: boolean
}

/** Maximum share of concurrent attempts of one account. */
const accountShare = 1 / 4
/** Share of attempts in flight below which an account may start more than one, and maximum share of one host. */
const sharedPart = 1 / 2

/**
 * Limits concurrent webhook calls. Accounts alternate. One account uses at most a quarter of the limit, and more than
 * one attempt only while half of the limit is free. So an account without attempts can start immediately while others
 * wait for answers. One host gets at most half of the limit. After a timeout, the account's next attempt at this host
 * is delayed. Attempts are then made one at a time until one is answered.
 */
export class WebhookTurns {
  readonly #options: Settings
  readonly #routes = new Map<string, Route>()
  readonly #queue = new FairQueue<Route>()
  readonly #byAccount = new Counts()
  readonly #byHost = new Counts()
  readonly #permission = {
    key: (account: string) => this.#mayBegin(account),
    item: ({ host }: Route) => this.#mayCall(host),
  }
  #active = 0

  constructor(options: Settings) {
    this.#options = options
  }

  /**
   * Resolves when an attempt may begin, with a function that must be called at its end. Resolves with undefined if
   * `signal` aborts first.
   */
  take(destination: Destination, signal: AbortSignal): Promise<((end: AttemptEnd) => void) | undefined> {
    if (signal.aborted) return Promise.resolve(undefined)
    const route = this.#routeOf(destination)
    return new Promise(resolve => {
      const begin = () => {
        signal.removeEventListener('abort', leave)
        resolve(end => this.#end(route, end))
      }
      const leave = () => {
        route.waiting.delete(begin)
        this.#update(route)
        resolve(undefined)
      }
      signal.addEventListener('abort', leave)
      route.waiting.add(begin)
      this.#update(route)
      // All other waiting attempts are blocked, or they would have begun earlier.
      if (this.#mayBegin(route.account)) this.#beginSome()
    })
  }

  #routeOf({ account, host }: Destination): Route {
    const name = `${account} ${host}`
    const route = this.#routes.get(name) ?? {
      ...{ account, host, waiting: new Set(), active: 0, silences: 0, pause: undefined, isQueued: false },
    }
    this.#routes.set(name, route)
    return route
  }

  #mayBegin(account: string): boolean {
    const { concurrency } = this.#options
    const own = this.#byAccount.of(account)
    if (own === 0) return this.#active < concurrency
    return own < concurrency * accountShare && this.#active < concurrency * sharedPart
  }

  #mayCall(host: string): boolean {
    return this.#byHost.of(host) < Math.max(1, this.#options.concurrency * sharedPart)
  }

  /** Starts all attempts that may begin, alternating between accounts. */
  #beginSome(): void {
    for (;;) {
      const route = this.#queue.shift(this.#permission)
      if (!route) return
      route.isQueued = false
      const [begin] = route.waiting
      if (!begin) continue
      route.waiting.delete(begin)
      this.#count(route, 1)
      this.#update(route)
      begin()
    }
  }

  #end(route: Route, end: AttemptEnd): void {
    this.#count(route, -1)
    if (end === 'answered') this.#reopen(route, 0)
    // Concurrent timeouts count as one.
    else if (end === 'silent' && route.pause === undefined) this.#leaveAlone(route)
    this.#update(route)
    this.#beginSome()
  }

  #leaveAlone(route: Route): void {
    const ms = backoffMs(route.silences++, this.#options.backoffMs, maxBackoffMs)
    route.pause = setTimeout(() => {
      this.#reopen(route, route.silences)
      this.#update(route)
      this.#beginSome()
    }, ms).unref()
  }

  #reopen(route: Route, silences: number): void {
    clearTimeout(route.pause)
    route.pause = undefined
    route.silences = silences
  }

  #count(route: Route, by: 1 | -1): void {
    route.active += by
    this.#active += by
    this.#byAccount.change(route.account, by)
    this.#byHost.change(route.host, by)
  }

  /** Adds a route to the queue or removes it from there, and deletes a route without state. */
  #update(route: Route): void {
    const { account, host, waiting, active, silences, pause } = route
    const isReady = waiting.size > 0 && pause === undefined && (silences === 0 || active === 0)
    if (isReady && !route.isQueued) this.#queue.push(account, route)
    if (!isReady && route.isQueued) this.#queue.remove(account, route)
    route.isQueued = isReady
    if (waiting.size === 0 && active === 0 && pause === undefined) this.#routes.delete(`${account} ${host}`)
  }
}
