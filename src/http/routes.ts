import { catalogue } from '../catalogue/index.js'
import { readQueryString } from '../contract/fields.js'
import { hasKeyField } from '../contract/hints.js'
import { tableCandleBytes } from '../contract/limits.js'
import { nearPaths } from '../contract/near-indicators.js'
import {
  isRefusal,
  methodNotAllowed,
  misplacedKey,
  notFound,
  type Refusal,
  rateExceeded,
  unknownParameter,
  unsupportedMediaType,
} from '../contract/refusals.js'
import { mediaTypes, type TableFormat, tableFormatOf } from '../contract/table-format.js'
import { type Admission, type Admitted, noBody, questionOf } from './admission.js'
import type { StaticFiles } from './files/static-files.js'
import { OpenbbRoutes } from './openbb/routes.js'
import {
  type Headers,
  type HttpRequest,
  type Origins,
  type Reply,
  type RequestHead,
  refused,
  withHeaders,
} from './reply.js'
import { type KeyRoute, neverCharged, type Route } from './route.js'
import { RouteMatcher } from './route-matcher.js'
import { createRouteParts, type RouteDependencies, type RouteParts, routeTable } from './route-table.js'
import { TaapiRoutes, taapiPrefix } from './taapi-v1/routes.js'
import { TranslatedRequests } from './translated-requests.js'
import { UdfRoutes, udfPrefix } from './udf/routes.js'

export interface RoutesDependencies extends RouteDependencies {
  readonly admission: Admission
  /** Files on the paths that no route has. */
  readonly files: StaticFiles
  /** Whether requests without an `Authorization` header are answered like requests below `/taapi-v1/`. */
  readonly taapiAtRoot: boolean
  /** Whether a datafeed for TradingView's charting library is served. */
  readonly hasUdf: boolean
  /** Whether widgets for OpenBB Workspace are served. */
  readonly hasOpenbb: boolean
}

/** Interface of another service or program, at paths outside the route table. */
interface OtherInterface {
  /** Its label in metrics. */
  readonly prefix: string
  owns(path: string): boolean
  answer(request: HttpRequest): Promise<Reply>
}

/** Results of the steps of a request with a key that ran at once, in the turn in which it arrived. */
interface Started {
  /** Variable of the path. */
  readonly segment: string
  /** Body of a POST. */
  readonly received?: Promise<Uint8Array | Refusal> | undefined
  readonly admitted?: Admitted | undefined
  /** Reply that the route has begun. */
  readonly reply?: Promise<Reply>
}

/** The service as a function from a request to its reply, independent of sockets. */
export class Routes {
  readonly #admission: Admission
  readonly #files: StaticFiles
  readonly #corsOrigins: Origins
  readonly #matcher = new RouteMatcher(
    routeTable,
    [...catalogue.keys()].map(name => `/indicator/${name}`),
  )
  readonly #parts: RouteParts
  readonly #taapi: TaapiRoutes
  readonly #others: readonly OtherInterface[]
  readonly #taapiAtRoot: boolean
  readonly #maxTableBytes: number
  /** Whether replies ask their clients to end their connections. */
  endsConnections = false

  constructor(dependencies: RoutesDependencies) {
    this.#admission = dependencies.admission
    this.#files = dependencies.files
    this.#corsOrigins = dependencies.corsOrigins
    this.#taapi = new TaapiRoutes(dependencies)
    this.#taapiAtRoot = dependencies.taapiAtRoot
    this.#maxTableBytes = dependencies.tableCandles * tableCandleBytes
    this.#parts = createRouteParts(dependencies, this.#matcher)
    this.#others = otherInterfaces(dependencies, this.#taapi, this.#parts)
  }

  /**
   * Header fields of every reply to a request: its `X-Request-Id`, and the fields with which `corsOrigins` lets a page
   * read the reply. Undefined if there are none, as for most requests.
   */
  readonly headersOf = (head: RequestHead): Headers | undefined => {
    const origins = this.#corsOrigins
    const id = head.header('x-request-id')
    const cors = origins.length === 0 ? undefined : corsHeaders(head, origins)
    const headers = id === '' || !requestIdPattern.test(id) ? cors : { 'X-Request-Id': id, ...cors }
    return this.endsConnections ? { ...headers, Connection: 'close' } : headers
  }

  /** Answers a request: at once if its account, its window and its answer are in memory (ADR 3), else later. */
  readonly handle = (request: HttpRequest): Reply | Promise<Reply> => {
    const match = this.#matcher.match(request.path)
    const other = match ? undefined : this.#others.find(each => each.owns(request.path))
    request.route = match?.path.path ?? other?.prefix ?? 'other'
    const preflight = request.method === 'options' ? preflightReply(request, this.#corsOrigins) : undefined
    if (preflight) return preflight
    if (other) return other.answer(request)
    if (match?.segment === undefined) return this.#answerWithoutRoute(request)
    const { methods, allow } = match.path
    // HEAD is answered like GET; the server leaves the body out.
    const route = methods.get(request.method === 'head' ? 'get' : request.method)
    if (!route) return this.#refuseFree(methodNotAllowed(allow), request)
    if (!route.needsKey) return refuseQuery(route, request) ?? route.answer(this.#parts, request)
    if (this.#taapiAtRoot && request.authorization === '')
      return this.#taapi.answer(request, request.path.slice(1))
    return this.#answer(request, route, match.segment)
  }

  /** Answers a request with a key: in this turn if nothing has to be awaited (ADR 3), else later. */
  #answer(request: HttpRequest, route: KeyRoute<RouteParts>, segment: string): Reply | Promise<Reply> {
    const isTable = route.takesTables && !isJson.test(request.contentType) && hasTable(route, request)
    const maxBytes = isTable ? this.#maxTableBytes : route.maxBytes
    const received = maxBytes > 0 ? request.body(maxBytes) : undefined
    const admitted = this.#admission.admitNow(request, route)
    if (received || !admitted) return this.#answerLater(request, route, { segment, received, admitted })
    const { account } = admitted
    const reply =
      refuseRequest(request, route, admitted) ??
      route.answer(this.#parts, { request, account, segment, body: noBody, charge: neverCharged })
    return 'then' in reply
      ? this.#answerLater(request, route, { segment, admitted, reply })
      : this.#admission.complete(reply, admitted)
  }

  /** Answers a request of which something has to be awaited: its account or window, its body, or its reply. */
  async #answerLater(
    request: HttpRequest,
    route: KeyRoute<RouteParts>,
    { segment, received, admitted: known, reply: begun }: Started,
  ): Promise<Reply> {
    const admission = this.#admission
    const isRepeatable = route.mayBePending && !received
    const admitted = known ?? (await admission.admit(request, route, request.authorization, isRepeatable))
    if (isRefusal(admitted)) return this.#refuseKey(admitted, request)
    const refusal = refuseRequest(request, route, admitted)
    if (refusal) return admission.complete(refusal, admitted)
    const body = received ? await received : noBody
    if (isRefusal(body)) return admission.complete(refused(body), admitted)
    const { account } = admitted
    const question = route.mayBePending ? questionOf(account, request, body) : undefined
    // The question of a GET is known before the request is counted, the question of a POST only with its body.
    const isRepetition = received && question ? await admission.isRepetition(question) : false
    const charge = (requests: number) => admission.charge(admitted, requests)
    const answered = begun ?? route.answer(this.#parts, { request, account, segment, body, charge })
    const reply = await admission.settle(account, answered)
    if (reply.status === 202 && question) await admission.addPending(question)
    return admission.complete(isRepetition ? { ...reply, isFree: true } : reply, admitted)
  }

  /** Answers a request to a path outside the route table. */
  #answerWithoutRoute(request: HttpRequest): Reply | Promise<Reply> {
    const { path, method, authorization } = request
    if (method !== 'get' && method !== 'head' && this.#files.has(path))
      return this.#refuseFree(methodNotAllowed('GET, HEAD'), request)
    const file = this.#files.reply(request)
    if (file) return file
    if (this.#taapiAtRoot && authorization === '') return this.#taapi.answer(request, path.slice(1))
    return this.#refuseFree(notFound(path.slice(0, 200), nearPaths(path)), request)
  }

  /** Refuses a request that needs no work and is free. With a key, the reply has the rate headers. */
  async #refuseFree(refusal: Refusal, { authorization }: RequestHead): Promise<Reply> {
    return withHeaders(refused(refusal), await this.#admission.freeHeaders(authorization))
  }

  /**
   * Refuses a request that was not admitted. Its key opens no account, the account lacks a scope, or the account has
   * too many open requests.
   */
  async #refuseKey(refusal: Refusal, request: RequestHead): Promise<Reply> {
    if (refusal.status === 403 || refusal.status === 429) return this.#refuseFree(refusal, request)
    const place = placeOfKey(request)
    return refused(place === undefined ? refusal : misplacedKey(place))
  }
}

function otherInterfaces(
  { admission, exchanges, clock, hasUdf, hasOpenbb }: RoutesDependencies,
  taapi: TaapiRoutes,
  parts: RouteParts,
): readonly OtherInterface[] {
  const requests = new TranslatedRequests(admission, parts)
  const below = (
    prefix: string,
    routes: { answer(request: HttpRequest, segment: string): Promise<Reply> },
  ): OtherInterface => ({
    prefix,
    owns: path => path.startsWith(prefix),
    answer: request => routes.answer(request, request.path.slice(prefix.length)),
  })
  const udf = new UdfRoutes({ exchanges, requests, clock })
  const openbb = new OpenbbRoutes({ exchanges, requests, hasUdf })
  return [
    below(taapiPrefix, taapi),
    ...(hasUdf ? [below(udfPrefix, udf)] : []),
    ...(hasOpenbb ? [openbb] : []),
  ]
}

/** Place of a key where other services expect it. Undefined if the key is in the header `Authorization` or missing. */
function placeOfKey(request: RequestHead) {
  if (request.authorization !== '') return undefined
  if (hasKeyField(request.queryString)) return 'the query string'
  return request.header('x-api-key') === '' ? undefined : 'X-API-Key'
}

/** Refuses an admitted request before its body is read. */
function refuseRequest(
  head: RequestHead,
  route: KeyRoute<RouteParts>,
  { account, use }: Admitted,
): Reply | undefined {
  if (!use.allowed) return refused(rateExceeded(account.requests, use.reset))
  if (route.maxBytes > 0 && !isJson.test(head.contentType) && !hasTable(route, head))
    return refused(unsupportedMediaType(route.takesTables ? bodyFormats.map(name => mediaTypes[name]) : []))
  return route.hasNoQuery && head.queryString !== '' ? refuseQuery(route, head) : undefined
}

/** Media type of a body that is not a table. */
const isJson = /^application\/json\s*(;|$)/i

const bodyFormats: readonly TableFormat[] = ['csv', 'arrow']

function hasTable({ takesTables }: Route, { contentType }: RequestHead): boolean {
  const format = takesTables ? tableFormatOf(contentType) : undefined
  return format !== undefined && bodyFormats.includes(format)
}

function refuseQuery({ hasNoQuery, path }: Route, { queryString }: RequestHead): Reply | undefined {
  if (!hasNoQuery || queryString === '') return undefined
  const fields = readQueryString(queryString)
  if (isRefusal(fields)) return refused(fields)
  const [name] = fields.keys()
  return name === undefined
    ? undefined
    : refused(unknownParameter(name.slice(0, 60), `The query string of ${path}`, []))
}

/** Pattern of accepted ids. Others are ignored, because the id is copied into a header field and into the log. */
const requestIdPattern = /^[\w.:/+=@-]{1,128}$/
/** Header fields that a page may send. */
const sentHeaders = [
  'Authorization',
  'Content-Type',
  'If-None-Match',
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Protocol-Version',
  'Mcp-Session-Id',
  'Prefer',
  'X-Request-Id',
].join(', ')
/** Header fields of replies that a page may read. */
const readHeaders = [
  'Age',
  'ETag',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Settled-Candles',
  'Settled-Digits',
  'Warning',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ')
/** Time for which a browser may cache the reply to a preflight, in seconds. */
const rememberedSeconds = 7200

/** Header fields that let a browser show a reply to the page that requested it, if the page's origin is allowed. */
function corsHeaders(head: RequestHead, origins: Origins): Headers {
  const readable = { 'Access-Control-Expose-Headers': readHeaders }
  if (origins === '*') return { 'Access-Control-Allow-Origin': '*', ...readable }
  const origin = head.header('origin')
  // A cache must not return a reply without these fields to a page that may read it.
  if (!origins.includes(origin)) return { Vary: 'Origin' }
  return { 'Access-Control-Allow-Origin': origin, ...readable, Vary: 'Origin' }
}

/** Reply to a preflight, which a browser sends before a page's request. Undefined for another OPTIONS. */
function preflightReply(head: RequestHead, origins: Origins): Reply | undefined {
  if (origins.length === 0) return undefined
  const origin = head.header('origin')
  const isAllowed = origins === '*' ? origin !== '' : origins.includes(origin)
  if (!isAllowed || head.header('access-control-request-method') === '') return undefined
  const headers = {
    'Access-Control-Allow-Methods': 'GET, POST, PATCH, DELETE',
    'Access-Control-Allow-Headers': sentHeaders,
    'Access-Control-Max-Age': String(rememberedSeconds),
  }
  return { status: 204, body: '', headers }
}
