import { backoffMs } from '../runtime/backoff.js'
import { FairQueue } from '../runtime/fair-queue.js'
import { Counts } from '../runtime/groups.js'
import { maxBackoffMs, type RunnerSettings } from './runner-options.js'

/** Where attempts go: the webhooks of an account at one host. */
export interface Destination {
  readonly account: string
  readonly host: string
}

/** How an attempt has ended: with an answer or an error of the network, without any answer in time, or before it began. */
export type AttemptEnd = 'answered' | 'silent' | 'not made'

/** Where `backoffMs` is how long a destination is left alone that has not answered. */
type Settings = Pick<RunnerSettings, 'concurrency' | 'backoffMs'>

interface Route extends Destination {
  /** In the order in which they came. */
  readonly waiting: Set<() => void>
  active: number
  /** Times in a row that it was tried and has not answered. */
  silences: number
  /** Runs while it is left alone. */
  pause: NodeJS.Timeout | undefined
  /** Whether it is in the queue: something waits, and may be tried as far as this destination is concerned. */
  isQueued: boolean
}

/** The share of all attempts that one account may make at the same time. */
const accountShare = 1 / 4
/** The share that accounts may use beyond one attempt each, and that all accounts together may use for one host. */
const sharedPart = 1 / 2

/**
 * Which attempts to call webhooks are made at the same time. Accounts take turns. An account makes a quarter of them at
 * most, and more than one only while half of them are free, so one that makes none yet can begin at once beside others that
 * wait for answers. A host gets half of them at most. Where an account's attempt gets no answer from a host, its next one to
 * this host waits, and is made alone until one is answered.
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
   * Resolves when an attempt may begin, with the function that must be called at its end; with undefined as soon as
   * `signal` aborts before.
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
      // Nothing else that waits may begin: it would have begun before.
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

  /** Begins what may begin, the accounts in turns. */
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
    // Attempts that went on side by side are one silence.
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

  /** Puts a route into the queue or takes it out, and forgets one of which nothing is to be known. */
  #update(route: Route): void {
    const { account, host, waiting, active, silences, pause } = route
    const isReady = waiting.size > 0 && pause === undefined && (silences === 0 || active === 0)
    if (isReady && !route.isQueued) this.#queue.push(account, route)
    if (!isReady && route.isQueued) this.#queue.remove(account, route)
    route.isQueued = isReady
    if (waiting.size === 0 && active === 0 && pause === undefined) this.#routes.delete(`${account} ${host}`)
  }
}
