import { BulkClient } from './bulk.js'
import { CandelaError } from './errors.js'
import {
  type CallOptions,
  HttpClient,
  type HttpOptions,
  type PendingOptions,
  queryString,
  type RangeOptions,
} from './http.js'
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
  SuppliedCandles,
  Update,
} from './types.js'
import { Unread } from './unread.js'

/** Maximum number of alert ids to remember. Not less than the maximum number of unread alerts. */
const maxKnown = 2 * maxUnread

/**
 * Alerts of the key that have neither a webhook nor an e-mail address, in the order of arrival, each once. The service
 * stores an alert until it is acknowledged. An alert is acknowledged when its reader requests the next one.
 */
export class AlertInbox implements Followed<AlertMessage> {
  readonly requests = [{ type: 'alerts', ack: true }]
  readonly answers: object[] = []
  readonly unread = new Unread<AlertMessage>()
  readonly hasIds = false
  /** Ids of the newest alerts, oldest first, and whether the reader has taken each alert. */
  readonly #known = new Map<string, boolean>()
  #isAccepted = false
  /** Whether the service supports acknowledgements. Old versions of the service do not. */
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

  /** Keeps the ids of read alerts, because the service may send these alerts again. */
  reset(): void {
    this.answers.length = 0
  }

  taken({ id }: AlertMessage): void {
    this.#known.set(id, true)
    if (this.#acknowledges) this.answers.push({ type: 'alert_ack', id })
  }

  #push(alert: AlertMessage): void {
    // The acknowledgement of this alert has not arrived.
    if (this.#known.get(alert.id)) this.taken(alert)
    if (this.#known.has(alert.id)) return
    this.#known.set(alert.id, false)
    const [oldest] = this.#known.keys()
    if (this.#known.size > maxKnown) this.#known.delete(oldest as string)
    this.unread.put(alert.id, alert)
  }
}

export type { CallOptions, RangeOptions } from './http.js'
export type { SocketClass } from './stream-connection.js'
export type * from './types.js'
export { CandelaError }

export interface CandelaOptions extends HttpOptions {
  /** WebSocket class. Default: that of the platform, or on Node.js 20 that of the package `ws`. */
  readonly WebSocket?: StreamOptions['WebSocket']
}

/** Options of a live stream. */
export interface FollowOptions extends CallOptions, Pick<StreamOptions, 'onState'> {}

/** Options of a screen. `waitSeconds` is the maximum wait for candles that are fetched for the first time. */
export interface ScreenOptions extends CallOptions, Pick<PendingOptions, 'waitSeconds'> {
  /** Called about once a second while candles are fetched. */
  readonly onProgress?: (progress: ScreenProgress) => void
}

/** Default wait for a screen, in seconds. The first screen of a large exchange needs minutes. */
const screenWaitSeconds = 900

/**
 * Options of a bulk request. `onProgress` counts constructs, and the parts of a construct with more indicators than a
 * request may have.
 */
export interface BulkOptions<Verbose extends boolean = boolean> extends RangeOptions {
  /** Whether each result has its parameters and the reasons for a missing result. */
  readonly verbose?: Verbose
}

/**
 * Client of one Candela service. Every method throws CandelaError if the service refuses the request. A request waits up
 * to `waitSeconds` for the first fetch of candles, the next rate limit window or a busy service.
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

  /** Computes one indicator over the candles of an exchange. */
  indicator<Name extends IndicatorName>(
    name: Name,
    { exchange, symbol, timeframe, adjustment }: Market,
    query?: IndicatorParams<Name> & SettledWindow & AsOf,
    options?: RangeOptions,
  ): Promise<IndicatorResult<Name>> {
    const fields = { exchange, symbol, timeframe, adjustment, ...query }
    return this.#http.sendRange(`/indicator/${name}`, fields, options)
  }

  /** Computes one indicator over candles of the caller, oldest first, or over closes if it reads nothing else. */
  async compute<Name extends IndicatorName>(
    name: Name,
    candles: SuppliedCandles<Name>,
    query?: IndicatorParams<Name> & SettledWindow,
    { signal }: CallOptions = {},
  ): Promise<IndicatorResult<Name>> {
    const isOfCloses = typeof candles[0] === 'number'
    if (isOfCloses) await this.#refuseCloses(name, query, signal)
    const given = isOfCloses ? (candles as readonly number[]).map(candleOfClose) : candles
    return this.#http.send({ path: `/indicator/${name}`, body: { ...query, candles: given }, signal })
  }

  /** Throws CandelaError if an indicator needs more than closes. */
  async #refuseCloses(
    name: string,
    query: object | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { source = 'close', chart } = { ...query } as { readonly source?: string; readonly chart?: string }
    const found = await this.indicators({ search: name, ...(signal && { signal }) })
    const { inputs } = found.find(({ id }) => id === name) ?? {}
    if (inputs && (String(inputs) !== 'close' || source !== 'close' || chart))
      throw new CandelaError(`${name} needs candles, because it reads more than closes`, 400)
  }

  /** Computes an expression over the candles of an exchange. See docs/expressions.md. */
  expression(
    text: string,
    { exchange, symbol, timeframe, adjustment }: Market,
    window: SettledWindow & AsOf = {},
    options?: RangeOptions,
  ): Promise<ExpressionResult> {
    const fields = { exchange, symbol, timeframe, adjustment, expression: text, ...window }
    return this.#http.sendRange('/expression', fields, options)
  }

  /**
   * Computes an expression over candles of the caller, oldest first. `with` has the candles of other markets, by their
   * names in the expression.
   */
  computeExpression(
    text: string,
    candles: readonly CandleInput[],
    window: SettledWindow & { readonly with?: Readonly<Record<string, readonly CandleInput[]>> } = {},
    { signal }: CallOptions = {},
  ): Promise<ExpressionResult> {
    return this.#http.send({ path: '/expression', body: { ...window, expression: text, candles }, signal })
  }

  /**
   * Checks an expression without computing it. `timeframe` is required if the expression chooses longer timeframes with
   * `@`.
   */
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

  /** Finds the markets of an exchange at which a condition holds. See docs/screening.md. */
  screen<const Request extends ScreenRequest>(
    request: Request,
    options: ScreenOptions = {},
  ): Promise<ScreenResult<Request>> {
    return this.#overMarkets('/screen', request, options)
  }

  /** Computes measures over the markets of an exchange, by time. See docs/breadth.md. */
  breadth<const Request extends BreadthRequest>(
    request: Request,
    options: ScreenOptions = {},
  ): Promise<BreadthResult<Request>> {
    return this.#overMarkets('/breadth', request, options)
  }

  /** Returns the lists of the key, in the order of their names. */
  lists({ signal }: CallOptions = {}): Promise<readonly NamedList[]> {
    return this.#list('/lists', 'lists', signal)
  }

  /** Stores a list. Replaces the list with the same name. */
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

  /** Measures returns and trades after a condition became true. See docs/evaluation.md. */
  evaluate(request: EvaluationRequest, { signal }: CallOptions = {}): Promise<Evaluation> {
    return this.#http.send({ path: '/evaluate', body: request, signal, pending: {} })
  }

  /** Creates an alert. See docs/alerts.md. */
  createAlert(request: AlertRequest, { signal }: CallOptions = {}): Promise<CreatedAlert> {
    return this.#http.send({ path: '/alerts', body: request, isChange: true, signal })
  }

  /** Returns the alerts of the key, oldest first. */
  alerts({ signal }: CallOptions = {}): Promise<readonly Alert[]> {
    return this.#list('/alerts', 'alerts', signal)
  }

  /** Pauses an alert. Candles that close during the pause fire nothing. Undelivered messages are dropped. */
  pauseAlert(id: string, { signal }: CallOptions = {}): Promise<Alert> {
    return this.#http.send({ path: alertPath(id), body: { paused: true }, signal })
  }

  resumeAlert(id: string, { signal }: CallOptions = {}): Promise<Alert> {
    return this.#http.send({ path: alertPath(id), body: { paused: false }, signal })
  }

  /** Sends one message, marked as a test, to the target of the alert. */
  testAlert(id: string, { signal }: CallOptions = {}): Promise<AlertTest> {
    return this.#http.send({ path: `${alertPath(id)}/test`, body: {}, isChange: true, signal })
  }

  /** Deletes an alert and its undelivered messages. */
  deleteAlert(id: string, { signal }: CallOptions = {}): Promise<Alert> {
    return this.#http.send({ path: alertPath(id), method: 'DELETE', isChange: true, signal })
  }

  /** Returns the messages that could not be delivered, newest first. */
  deadLetters({ signal }: CallOptions = {}): Promise<readonly DeadLetter[]> {
    return this.#list('/alerts/dead-letters', 'deadLetters', signal)
  }

  /**
   * Returns the newest candles of a market, or the candles of a time range. The oldest candle is first. A range with more
   * candles than one reply has is requested in parts, as are those of `indicator` and `expression`.
   */
  candles(
    { exchange, symbol, timeframe, adjustment }: Market,
    window: ResultWindow & AsOf = {},
    options?: RangeOptions,
  ): Promise<readonly Candle[]> {
    return this.#http.sendRange('/candles', { exchange, symbol, timeframe, adjustment, ...window }, options)
  }

  /**
   * Computes many indicators over many markets. Sends as many requests as the plan and the limits of one request need.
   * The results are in the order of the constructs.
   */
  bulk<const Constructs extends readonly MarketConstruct[], Verbose extends boolean = false>(
    constructs: Constructs & ExactConstructs<Constructs>,
    options: BulkOptions<Verbose> = {},
  ): Promise<BulkResult<Constructs, Verbose>> {
    return this.#bulk.send('/bulk', constructs, options) as Promise<BulkResult<Constructs, Verbose>>
  }

  /** Computes many indicators over many series of candles that the caller supplies. */
  bulkCandles<const Constructs extends readonly CandlesConstruct[], Verbose extends boolean = false>(
    constructs: Constructs & ExactConstructs<Constructs>,
    options: BulkOptions<Verbose> = {},
  ): Promise<BulkResult<Constructs, Verbose>> {
    return this.#bulk.send('/bulk-candles', constructs, options) as Promise<BulkResult<Constructs, Verbose>>
  }

  /** Returns the identifiers of all exchanges. */
  exchanges({ signal }: CallOptions = {}): Promise<readonly string[]> {
    return this.#list('/exchanges', 'exchanges', signal)
  }

  /** Returns the symbols of an exchange. */
  symbols(exchange: string, { signal }: CallOptions = {}): Promise<readonly string[]> {
    return this.#list(`/exchanges/${encodeURIComponent(exchange)}/symbols`, 'symbols', signal)
  }

  /**
   * Returns all indicators, or the indicators that match the search. Each has its parameters, its outputs and the number
   * of candles that it needs.
   */
  indicators({
    signal,
    ...search
  }: CallOptions & IndicatorSearch = {}): Promise<readonly IndicatorDescription[]> {
    return this.#list(`/indicators${queryString(search)}`, 'indicators', signal)
  }

  /**
   * Sends one request to a path of the service. Adds the key, unless `init` has its own `Authorization` header. Resolves
   * with a reply of any status and never retries. Throws CandelaError if there is no reply.
   */
  fetch(path: string, init?: RequestInit): Promise<Response> {
    return this.#http.fetch(path, init)
  }

  /**
   * Follows subscriptions until the loop is left or the signal is aborted. Reconnects after a lost connection, and first
   * returns the values of candles that closed during the outage. Of several unread forming states of a candle, only the
   * newest is returned.
   */
  stream<const Items extends readonly Subscription[]>(
    subscriptions: Items & ExactSubscriptions<Items>,
    options: FollowOptions = {},
  ): AsyncGenerator<Update<Items[number]>, void, undefined> {
    const updates = this.#follow(() => new Subscriptions(subscriptions, this.#bulk), options)
    return updates as AsyncGenerator<Update<Items[number]>, void, undefined>
  }

  /**
   * Follows a screen: first its whole state, then the differences from the last state that was read. After a lost
   * connection, the differences continue. Several unread changes are merged into one update.
   */
  streamScreen<const Request extends LiveScreenRequest>(
    request: Request,
    options: FollowOptions & Pick<ScreenOptions, 'onProgress'> = {},
  ): AsyncGenerator<ScreenUpdate<Request>, void, undefined> {
    const updates = this.#follow(() => liveScreen(request, options.onProgress), options)
    return updates as AsyncGenerator<ScreenUpdate<Request>, void, undefined>
  }

  /**
   * Follows a breadth: first all requested values, then the new and changed candles. All requested values come again
   * after a lost connection. New values replace earlier values with the same times.
   */
  streamBreadth<const Request extends LiveBreadthRequest>(
    request: Request,
    options: FollowOptions & Pick<ScreenOptions, 'onProgress'> = {},
  ): AsyncGenerator<BreadthResult<Request>, void, undefined> {
    const updates = this.#follow(() => liveBreadth(request, options.onProgress), options)
    return updates as AsyncGenerator<BreadthResult<Request>, void, undefined>
  }

  /**
   * Follows the messages of alerts that have neither a webhook nor an e-mail address. Each message comes once. Messages
   * that are fired without a connection come with the next connection. A message is acknowledged when its reader
   * requests the next one. Unacknowledged messages are sent again.
   */
  streamAlerts(options: FollowOptions = {}): AsyncGenerator<AlertMessage, void, undefined> {
    return this.#follow(() => new AlertInbox(), options)
  }

  /** Returns the list in a field of the reply. */
  async #list<Item>(path: string, field: string, signal: AbortSignal | undefined): Promise<readonly Item[]> {
    const reply = await this.#http.send<Readonly<Record<string, readonly Item[]>>>({ path, signal })
    return reply[field] as readonly Item[]
  }

  #follow<Item>(begin: () => Followed<Item>, options: FollowOptions): AsyncGenerator<Item, void, undefined> {
    const { key, WebSocket } = this.#options
    return follow(begin, { ...options, url: this.#http.url, key, WebSocket })
  }
}

const candleOfClose = (close: number): CandleInput => {
  const [open, high, low] = [close, close, close]
  return { open, high, low, close, volume: 0 }
}

const alertPath = (id: string): string => `/alerts/${encodeURIComponent(id)}`
