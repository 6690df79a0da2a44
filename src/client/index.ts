import { BulkClient } from './bulk.js'
import { HttpClient, type HttpOptions, type PendingOptions } from './http.js'
import { liveBreadth, liveScreen } from './live-markets.js'
import { type Followed, follow, maxUnread, type StreamOptions } from './stream.js'
import type { FollowedMessage } from './stream-messages.js'
import { Subscriptions } from './subscriptions.js'
import type {
  Alert,
  AlertMessage,
  AlertRequest,
  AlertTest,
  AsOf,
  BreadthRequest,
  BreadthResult,
  BulkResult,
  Candle,
  CandleInput,
  CandlesConstruct,
  Charted,
  CreatedAlert,
  DeadLetter,
  Evaluation,
  EvaluationRequest,
  ExactConstructs,
  ExactSubscriptions,
  ExpressionCheck,
  ExpressionResult,
  IndicatorDescription,
  IndicatorName,
  IndicatorParams,
  IndicatorResult,
  IndicatorSearch,
  LiveBreadthRequest,
  LiveScreenRequest,
  Market,
  MarketConstruct,
  NamedList,
  ResultWindow,
  ScreenProgress,
  ScreenRequest,
  ScreenResult,
  ScreenUpdate,
  SettledWindow,
  Subscription,
  Update,
} from './types.js'
import { Unread } from './unread.js'

/** Ids of alerts that are remembered; no fewer than alerts may be unread. */
const maxKnown = 2 * maxUnread

/**
 * The alerts of the key that have neither a webhook nor an e-mail address, in the order in which they came, each one once. The
 * service stores each until it is acknowledged, which is done when its reader has come back for the next one.
 */
export class AlertInbox implements Followed<AlertMessage> {
  readonly requests = [{ type: 'alerts', ack: true }]
  readonly answers: object[] = []
  readonly unread = new Unread<AlertMessage>()
  readonly hasIds = false
  /** The ids of the newest alerts, oldest first, and whether each was taken. */
  readonly #known = new Map<string, boolean>()
  #isAccepted = false
  /** Services of before do not know acknowledgements. */
  #acknowledges = false

  receive(message: FollowedMessage): boolean {
    if (message.type === 'alert') this.#push(message)
    else if (message.type === 'alerts_ok') {
      this.#isAccepted = true
      this.#acknowledges = message.ack === true
    } else return false
    return true
  }

  isAccepted(): boolean {
    return this.#isAccepted
  }

  /** Alerts that were read stay known: the service may send them again. */
  reset(): void {
    this.answers.length = 0
  }

  taken({ id }: AlertMessage): void {
    this.#known.set(id, true)
    if (this.#acknowledges) this.answers.push({ type: 'alert_ack', id })
  }

  #push(alert: AlertMessage): void {
    // Its acknowledgement has not arrived.
    if (this.#known.get(alert.id)) this.taken(alert)
    if (this.#known.has(alert.id)) return
    this.#known.set(alert.id, false)
    const [oldest] = this.#known.keys()
    if (this.#known.size > maxKnown) this.#known.delete(oldest as string)
    this.unread.put(alert.id, alert)
  }
}

export { CandelaError } from './errors.js'
export type { SocketClass } from './stream-connection.js'
export type * from './types.js'
export type * from './types.js'
export type * from './types.js'
export type * from './types.js'

export interface CandelaOptions extends HttpOptions {
  /** The class of WebSockets, where the platform has none of its own: on Node 20 that of the package `ws`. */
  readonly WebSocket?: StreamOptions['WebSocket']
}

/** How a request may be ended early. */
export interface CallOptions {
  readonly signal?: AbortSignal
}

/** How something is followed. */
export interface FollowOptions extends CallOptions, Pick<StreamOptions, 'onState'> {}

/** How a screen waits for candles that are fetched for the first time. */
export interface ScreenOptions extends CallOptions, Pick<PendingOptions, 'waitSeconds'> {
  /** Called about once a second while candles are fetched. */
  readonly onProgress?: (progress: ScreenProgress) => void
}

/** The first screen of a large exchange takes minutes. */
const screenWaitSeconds = 900

export interface BulkOptions<Verbose extends boolean = boolean> extends CallOptions {
  /** Adds to each result its parameters, and why there is none. */
  readonly verbose?: Verbose
}

/**
 * A client of one Candela. Every method throws CandelaError where the service refuses. A request waits for candles that
 * are fetched for the first time, for the next window of the rate limit and for a busy service, up to `waitSeconds`.
 */
export class Candela {
  readonly #http: HttpClient
  readonly #bulk: BulkClient
  readonly #options: CandelaOptions

  constructor(options: CandelaOptions) {
    this.#http = new HttpClient(options)
    this.#bulk = new BulkClient(this.#http)
    this.#options = options
  }

  /** One indicator over the candles of an exchange. */
  indicator<Name extends IndicatorName>(
    name: Name,
    { exchange, symbol, timeframe, adjustment }: Market,
    query?: IndicatorParams<Name> & SettledWindow & AsOf,
    { signal }: CallOptions = {},
  ): Promise<IndicatorResult<Name>> {
    const path = `/indicator/${name}${queryString({ exchange, symbol, timeframe, adjustment, ...query })}`
    return this.#http.send({ path, signal })
  }

  /** One indicator over candles of the caller, oldest first. */
  compute<Name extends IndicatorName>(
    name: Name,
    candles: readonly CandleInput[],
    query?: IndicatorParams<Name> & SettledWindow,
    { signal }: CallOptions = {},
  ): Promise<IndicatorResult<Name>> {
    return this.#http.send({ path: `/indicator/${name}`, body: { ...query, candles }, signal })
  }

  /** An expression over the candles of an exchange: see docs/expressions.md. */
  expression(
    text: string,
    { exchange, symbol, timeframe, adjustment }: Market,
    window: SettledWindow & AsOf = {},
    { signal }: CallOptions = {},
  ): Promise<ExpressionResult> {
    const path = `/expression${queryString({ exchange, symbol, timeframe, adjustment, expression: text, ...window })}`
    return this.#http.send({ path, signal })
  }

  /** An expression over candles of the caller, oldest first; `with` has those of other markets by their names in the expression. */
  computeExpression(
    text: string,
    candles: readonly CandleInput[],
    window: SettledWindow & { readonly with?: Readonly<Record<string, readonly CandleInput[]>> } = {},
    { signal }: CallOptions = {},
  ): Promise<ExpressionResult> {
    return this.#http.send({ path: '/expression', body: { ...window, expression: text, candles }, signal })
  }

  /** What is known of an expression before it is computed; the timeframe is needed where it chooses longer ones by `@`. */
  checkExpression(
    text: string,
    timeframe?: Market['timeframe'],
    { signal, chart }: CallOptions & Charted = {},
  ): Promise<ExpressionCheck> {
    return this.#http.send({
      path: '/expression/check',
      body: { expression: text, timeframe, chart },
      signal,
    })
  }

  /** The markets of an exchange at which a condition holds: see docs/screening.md. */
  screen<const Request extends ScreenRequest>(
    request: Request,
    options: ScreenOptions = {},
  ): Promise<ScreenResult<Request>> {
    return this.#overMarkets('/screen', request, options)
  }

  /** Measures over the markets of an exchange, by time: see docs/breadth.md. */
  breadth<const Request extends BreadthRequest>(
    request: Request,
    options: ScreenOptions = {},
  ): Promise<BreadthResult<Request>> {
    return this.#overMarkets('/breadth', request, options)
  }

  /** The lists of the key, in the order of their names. */
  lists({ signal }: CallOptions = {}): Promise<readonly NamedList[]> {
    return this.#list('/lists', 'lists', signal)
  }

  /** Stores a list in the place of the one with its name. */
  storeList(list: NamedList, { signal }: CallOptions = {}): Promise<NamedList> {
    return this.#http.send({ path: '/lists', body: list, signal })
  }

  deleteList(name: string, { signal }: CallOptions = {}): Promise<NamedList> {
    return this.#http.send({
      path: `/lists/${encodeURIComponent(name)}`,
      method: 'DELETE',
      isChange: true,
      signal,
    })
  }

  #overMarkets<Result>(
    path: string,
    body: object,
    { signal, onProgress, waitSeconds = screenWaitSeconds }: ScreenOptions,
  ): Promise<Result> {
    const pending: PendingOptions = {
      waitSeconds,
      ...(onProgress && { stepSeconds: 1, onPending: body => onProgress(body as ScreenProgress) }),
    }
    return this.#http.send({ path, body, signal, pending })
  }

  /** What followed when a condition became true: see docs/evaluation.md. */
  evaluate(request: EvaluationRequest, { signal }: CallOptions = {}): Promise<Evaluation> {
    return this.#http.send({ path: '/evaluate', body: request, signal, pending: {} })
  }

  /** Makes an alert: see docs/alerts.md. */
  createAlert(request: AlertRequest, { signal }: CallOptions = {}): Promise<CreatedAlert> {
    return this.#http.send({ path: '/alerts', body: request, isChange: true, signal })
  }

  /** The alerts of the key, the oldest first. */
  alerts({ signal }: CallOptions = {}): Promise<readonly Alert[]> {
    return this.#list('/alerts', 'alerts', signal)
  }

  /** Candles that end while an alert is paused fire nothing. Messages that were not delivered yet are dropped. */
  pauseAlert(id: string, { signal }: CallOptions = {}): Promise<Alert> {
    return this.#http.send({ path: alertPath(id), body: { paused: true }, signal })
  }

  resumeAlert(id: string, { signal }: CallOptions = {}): Promise<Alert> {
    return this.#http.send({ path: alertPath(id), body: { paused: false }, signal })
  }

  /** Sends a message marked as a test, once, to where the alert sends what it fires. */
  testAlert(id: string, { signal }: CallOptions = {}): Promise<AlertTest> {
    return this.#http.send({ path: `${alertPath(id)}/test`, body: {}, isChange: true, signal })
  }

  /** Deletes an alert, with its messages that were not delivered yet. */
  deleteAlert(id: string, { signal }: CallOptions = {}): Promise<Alert> {
    return this.#http.send({ path: alertPath(id), method: 'DELETE', isChange: true, signal })
  }

  /** The messages that could not be delivered, the newest first. */
  deadLetters({ signal }: CallOptions = {}): Promise<readonly DeadLetter[]> {
    return this.#list('/alerts/dead-letters', 'deadLetters', signal)
  }

  /** The newest candles of an exchange, oldest first. */
  candles(
    { exchange, symbol, timeframe, adjustment }: Market,
    window: ResultWindow & AsOf = {},
    { signal }: CallOptions = {},
  ): Promise<readonly Candle[]> {
    const path = `/candles${queryString({ exchange, symbol, timeframe, adjustment, ...window })}`
    return this.#http.send({ path, signal })
  }

  /**
   * Many indicators over many markets, in as many requests as the plan and the limits of one request need. The results
   * are in the order of the constructs.
   */
  bulk<const Constructs extends readonly MarketConstruct[], Verbose extends boolean = false>(
    constructs: Constructs & ExactConstructs<Constructs>,
    options: BulkOptions<Verbose> = {},
  ): Promise<BulkResult<Constructs, Verbose>> {
    return this.#bulk.send('/bulk', constructs, options) as Promise<BulkResult<Constructs, Verbose>>
  }

  /** Many indicators over many series of the caller. */
  bulkCandles<const Constructs extends readonly CandlesConstruct[], Verbose extends boolean = false>(
    constructs: Constructs & ExactConstructs<Constructs>,
    options: BulkOptions<Verbose> = {},
  ): Promise<BulkResult<Constructs, Verbose>> {
    return this.#bulk.send('/bulk-candles', constructs, options) as Promise<BulkResult<Constructs, Verbose>>
  }

  /** The identifiers of all exchanges. */
  exchanges({ signal }: CallOptions = {}): Promise<readonly string[]> {
    return this.#list('/exchanges', 'exchanges', signal)
  }

  /** The symbols of an exchange. */
  symbols(exchange: string, { signal }: CallOptions = {}): Promise<readonly string[]> {
    return this.#list(`/exchanges/${encodeURIComponent(exchange)}/symbols`, 'symbols', signal)
  }

  /** All indicators with their parameters, their outputs and the candles that they need, or those that are searched for. */
  indicators({
    signal,
    ...search
  }: CallOptions & IndicatorSearch = {}): Promise<readonly IndicatorDescription[]> {
    return this.#list(`/indicators${queryString(search)}`, 'indicators', signal)
  }

  /**
   * Sends one request to a path of the service, with the key unless `init` has an `Authorization` of its own. Resolves
   * with the reply of any status, and waits for nothing. Throws CandelaError where there is no reply.
   */
  fetch(path: string, init?: RequestInit): Promise<Response> {
    return this.#http.fetch(path, init)
  }

  /**
   * Follows subscriptions until the loop is left or the signal is aborted. A connection that is lost is opened again and
   * subscribes again; the values of candles that have closed since then are requested and come first. Of several forming
   * states of a candle that were not read yet, only the newest is given.
   */
  stream<const Items extends readonly Subscription[]>(
    subscriptions: Items & ExactSubscriptions<Items>,
    options: FollowOptions = {},
  ): AsyncGenerator<Update<Items[number]>, void, undefined> {
    const updates = this.#follow(() => new Subscriptions(subscriptions, this.#bulk), options)
    return updates as AsyncGenerator<Update<Items[number]>, void, undefined>
  }

  /**
   * Follows a screen: first its whole state, then the differences to what was read before, also after a lost connection.
   * Several changes that were not read yet are given as one.
   */
  streamScreen<const Request extends LiveScreenRequest>(
    request: Request,
    options: FollowOptions & Pick<ScreenOptions, 'onProgress'> = {},
  ): AsyncGenerator<ScreenUpdate<Request>, void, undefined> {
    const updates = this.#follow(() => liveScreen(request, options.onProgress), options)
    return updates as AsyncGenerator<ScreenUpdate<Request>, void, undefined>
  }

  /**
   * Follows a breadth: first all that it asks for, also after a lost connection, then the candles that have come or changed. Put
   * their values in the place of those with the same times.
   */
  streamBreadth<const Request extends LiveBreadthRequest>(
    request: Request,
    options: FollowOptions & Pick<ScreenOptions, 'onProgress'> = {},
  ): AsyncGenerator<BreadthResult<Request>, void, undefined> {
    const updates = this.#follow(() => liveBreadth(request, options.onProgress), options)
    return updates as AsyncGenerator<BreadthResult<Request>, void, undefined>
  }

  /**
   * The messages of the alerts of the key that have no webhook, each once. A message that is fired while there is no
   * connection comes with the next connection. A message is acknowledged when its reader has come back for the next one, and comes again otherwise.
   */
  streamAlerts(options: FollowOptions = {}): AsyncGenerator<AlertMessage, void, undefined> {
    return this.#follow(() => new AlertInbox(), options)
  }

  /** The list that a reply has in a field. */
  async #list<Item>(path: string, field: string, signal: AbortSignal | undefined): Promise<readonly Item[]> {
    const reply = await this.#http.send<Readonly<Record<string, readonly Item[]>>>({ path, signal })
    return reply[field] as readonly Item[]
  }

  #follow<Item>(begin: () => Followed<Item>, options: FollowOptions): AsyncGenerator<Item, void, undefined> {
    const { key, WebSocket } = this.#options
    return follow(begin, { ...options, url: this.#http.url, key, WebSocket })
  }
}

const alertPath = (id: string): string => `/alerts/${encodeURIComponent(id)}`

function queryString(fields: object): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
