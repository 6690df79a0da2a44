import type { BulkDispatcher } from '../compute/bulk-dispatch.js'
import type { Calculator } from '../compute/calculator.js'
import type { BodyParser } from '../compute/json/body-parser.js'
import {
  isRefusal,
  malformedQuery,
  methodNotAllowed,
  notFound,
  rateExceeded,
  unsupportedMediaType,
  upgradeRequired,
} from '../contract/refusals.js'
import type { ExchangeLookup } from '../exchanges/registry.js'
import type { History } from '../history/history.js'
import type { Account } from '../store/store.js'
import type { Access } from './access.js'
import { BulkRoute } from './bulk.js'
import { getCandles } from './candles.js'
import { IndicatorRoute } from './indicator.js'
import { indicatorList } from './indicators.js'
import { exchangeList, symbolList } from './market-data.js'
import { openapi } from './openapi/document.js'
import { type RateLimits, rateHeaders, type WindowUse } from './rate-limits.js'
import { type NeedsBody, ok, type Reply, type RequestHead, refused, withHeaders } from './reply.js'

export interface RouteDependencies {
  readonly access: Access
  readonly limits: RateLimits
  readonly calculator: Calculator
  readonly dispatch: BulkDispatcher
  readonly bodyParser: BodyParser
  readonly exchanges: ExchangeLookup
  readonly history: History
  /** How long a bulk request waits for candles that are not there yet, in seconds. */
  readonly bulkWaitSeconds: number
  /** What the streaming connections hold at present. */
  readonly streaming: () => StreamingHealth
  /** Whether requests are welcome: false from the beginning of a shutdown. */
  readonly isReady: () => boolean
}

/** The figures of `GET /streaming/health`, in its order. */
export interface StreamingHealth {
  readonly connections: number
  readonly subscriptions: number
  /** Markets that are watched or polled. */
  readonly feeds: number
  /** Seconds since the service started. */
  readonly uptime: number
}

/** What answers a method of a path, after the request was admitted. */
type Answerer = (head: RequestHead, account: Account) => Reply | Promise<Reply> | NeedsBody

/** A path that needs a key: the methods it has, in the order of the `Allow` header. */
interface KeyedRoute {
  readonly methods: Readonly<Record<string, Answerer>>
  readonly isOpen?: false
}

/** A probe, or the description of the interface: they need none. */
interface OpenRoute {
  readonly methods: { readonly get: () => Reply }
  readonly isOpen: true
}

type Route = KeyedRoute | OpenRoute

/** The service as a function from a request to its reply; knows no sockets. */
export class Routes {
  readonly #service: RouteDependencies
  readonly #indicator: IndicatorRoute
  readonly #fixed: ReadonlyMap<string, Route>

  constructor(service: RouteDependencies) {
    this.#service = service
    this.#indicator = new IndicatorRoute(service)
    const bulk = new BulkRoute(service)
    this.#fixed = new Map<string, Route>([
      ['/candles', { methods: { get: head => getCandles(service, head.queryString, head.prefer) } }],
      [
        '/bulk',
        {
          methods: {
            post: (head, account) => this.#post(head, (body, caller) => bulk.post(body, account, caller)),
          },
        },
      ],
      [
        '/bulk-candles',
        {
          methods: {
            post: (head, account) =>
              this.#post(head, (body, caller) => bulk.postCandles(body, account, caller)),
          },
        },
      ],
      ['/indicators', { methods: { get: () => indicatorList() } }],
      ['/openapi.json', { isOpen: true, methods: { get: () => openapi() } }],
      ['/exchanges', { methods: { get: () => exchangeList(service.exchanges) } }],
      ['/streaming', { isOpen: true, methods: { get: () => refused(upgradeRequired()) } }],
      [
        '/streaming/health',
        { methods: { get: () => ok(JSON.stringify({ status: 'ok', ...service.streaming() })) } },
      ],
      ['/health/live', { isOpen: true, methods: { get: () => ok('{"status":"ok"}') } }],
      [
        '/health/ready',
        {
          isOpen: true,
          methods: {
            get: () =>
              service.isReady() ? ok('{"status":"ready"}') : { status: 503, body: '{"status":"stopping"}' },
          },
        },
      ],
    ])
  }

  /** Answers a request, or says that it wants the body first. */
  handle(head: RequestHead): Reply | Promise<Reply> | NeedsBody {
    const route = this.#find(head.path)
    if (!route) return refused(notFound(head.path.slice(0, 200)))
    if (!Object.hasOwn(route.methods, head.method)) {
      return refused(
        methodNotAllowed(
          Object.keys(route.methods)
            .map(method => method.toUpperCase())
            .join(', '),
        ),
      )
    }
    if (route.isOpen) return route.methods.get()
    const answerer = route.methods[head.method] as Answerer
    const account = this.#service.access.authenticate(head.authorization)
    if (isRefusal(account)) return refused(account)
    const { limits } = this.#service
    const turn = limits.take(account)
    const headers = rateHeaders(account, turn)
    if (!turn.allowed) return withHeaders(refused(rateExceeded(account.requests, turn.reset)), headers)
    const finish = (reply: Reply) => this.#finish(reply, account, turn, headers)
    const reply = answerer(head, account)
    if (reply instanceof Promise) return reply.then(finish)
    if (!('read' in reply)) return finish(reply)
    return {
      read: (body, caller) => {
        const answered = reply.read(body, caller)
        return answered instanceof Promise ? answered.then(finish) : finish(answered)
      },
    }
  }

  /** The route of a path, as few different ones as there are routes. */
  nameOf(path: string): string {
    if (this.#fixed.has(path)) return path
    if (path.startsWith('/indicator/')) return '/indicator/{name}'
    return /^\/exchanges\/[^/]+\/symbols$/.test(path) ? '/exchanges/{exchange}/symbols' : 'other'
  }

  /** Completes a reply to a known account. A pending one costs nothing: its repetition must stay possible. */
  #finish(reply: Reply, account: Account, turn: WindowUse, headers: Readonly<Record<string, string>>): Reply {
    if (reply.status !== 202) return withHeaders(reply, headers)
    return withHeaders(reply, rateHeaders(account, this.#service.limits.refund(account, turn)))
  }

  #find(path: string): Route | undefined {
    const fixed = this.#fixed.get(path)
    if (fixed) return fixed
    if (path.startsWith('/indicator/')) {
      const name = segment(path.slice(11))
      if (name === undefined) return undefined
      return {
        methods: {
          get: head => this.#indicator.get(name, head.queryString, head.prefer),
          post: head => this.#post(head, body => this.#indicator.post(name, body)),
        },
      }
    }
    const symbols = /^\/exchanges\/([^/]+)\/symbols$/.exec(path)
    const exchange = symbols && segment(symbols[1] as string)
    if (exchange) return { methods: { get: () => symbolList(this.#service.exchanges, exchange) } }
    return undefined
  }

  #post(head: RequestHead, read: NeedsBody['read']): Reply | NeedsBody {
    if (!/^application\/json\s*(;|$)/i.test(head.contentType)) return refused(unsupportedMediaType())
    if (head.queryString !== '') return refused(malformedQuery())
    return { read }
  }
}

/** One decoded segment of a path, or undefined where it is empty, longer than one, or not decodable. */
function segment(text: string): string | undefined {
  if (text === '' || text.includes('/')) return undefined
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
