import { hasKeyField } from '../contract/hints.js'
import { readQueryString } from '../contract/query-string.js'
import {
  isRefusal,
  keyInQuery,
  methodNotAllowed,
  notFound,
  type Refusal,
  rateExceeded,
  tooManyOfKey,
  unknownParameter,
  unsupportedMediaType,
} from '../contract/refusals.js'
import type { Account, FreeRetries, RateWindows, WindowUse } from '../store/store.js'
import type { Access } from './access.js'
import {
  createGetEndpoints,
  createOpenEndpoints,
  createPostEndpoints,
  type EndpointDependencies,
  type GetEndpoint,
  type OpenEndpoint,
  type PostEndpoint,
} from './endpoints/index.js'
import type { StaticFiles } from './files/static-files.js'
import { answerLater, keepHead } from './later.js'
import type { OpenReplies } from './open-replies.js'
import { rateHeaders } from './rate-limits.js'
import { type NeedsBody, type Reply, type RequestHead, refused, withHeaders } from './reply.js'
import { type RouteMatch, RouteMatcher } from './route-matcher.js'
import { routeTable } from './route-table.js'
import { TaapiRoutes, taapiPrefix } from './taapi-v1/routes.js'

export interface RouteDependencies extends EndpointDependencies {
  readonly access: Access
  readonly windows: RateWindows
  readonly openReplies: OpenReplies
  /** What is served on the paths that no route has. */
  readonly files: StaticFiles
  /** Whether requests without an `Authorization` header are answered as those below `/taapi-v1/`. */
  readonly taapiAtRoot: boolean
}

/** What answers one method of a path. */
type Route = { readonly hasNoQuery: boolean } & (
  | { readonly kind: 'open'; readonly answer: OpenEndpoint }
  | { readonly kind: 'get'; readonly answer: GetEndpoint }
  | { readonly kind: 'post'; readonly answer: PostEndpoint; readonly maxBytes: number }
)

type KeyRoute = Exclude<Route, { readonly kind: 'open' }>

/** The bytes that the body of a request may have; undefined where none is read. */
const bodyLimitOf = (route: Route): number | undefined => (route.kind === 'post' ? route.maxBytes : undefined)

/** The route of a method. A reply to HEAD is that to GET; the server leaves its body out. */
const routeOf = (methods: ReadonlyMap<string, Route>, method: string): Route | undefined =>
  methods.get(method) ?? (method === 'head' ? methods.get('get') : undefined)

/** The service as a function from a request to its reply, independent of sockets. */
export class Routes {
  readonly #access: Access
  readonly #windows: RateWindows
  readonly #questions: FreeRetries
  readonly #openReplies: OpenReplies
  readonly #files: StaticFiles
  readonly #matcher: RouteMatcher<Route>
  readonly #taapi: TaapiRoutes
  readonly #taapiAtRoot: boolean

  constructor(dependencies: RouteDependencies) {
    this.#access = dependencies.access
    this.#windows = dependencies.windows
    this.#questions = dependencies.questions
    this.#openReplies = dependencies.openReplies
    this.#files = dependencies.files
    this.#taapi = new TaapiRoutes(dependencies)
    this.#taapiAtRoot = dependencies.taapiAtRoot
    const open = createOpenEndpoints(dependencies)
    const get = createGetEndpoints(dependencies)
    const post = createPostEndpoints(dependencies)
    this.#matcher = new RouteMatcher<Route>(
      routeTable.map(row => {
        const { method, path } = row
        const hasNoQuery = 'hasNoQuery' in row
        if (!row.needsKey) return { method, path, route: { kind: 'open', answer: open[row.id], hasNoQuery } }
        if (row.method !== 'post')
          return { method, path, route: { kind: 'get', answer: get[row.id], hasNoQuery } }
        const { maxBodyBytes: maxBytes } = row
        return { method, path, route: { kind: 'post', answer: post[row.id], maxBytes, hasNoQuery } }
      }),
    )
  }

  /** Answers a request, or returns what to do with its body. */
  handle(head: RequestHead): Reply | Promise<Reply> | NeedsBody {
    const match = this.#matcher.match(head.path)
    if (!match) return this.#handleUnknown(head)
    const { methods } = match.path
    const route = routeOf(methods, head.method)
    if (!route) return this.#refuseRoute(methodNotAllowed(match.path.allow), head)
    if (route.kind === 'open') {
      const isQueryRefused = route.hasNoQuery && head.queryString !== ''
      return (
        (isQueryRefused ? refuseQuery(head.queryString, match.path.path) : undefined) ?? route.answer(head)
      )
    }
    if (this.#taapiAtRoot && head.authorization === '') return this.#taapi.handle(head, head.path.slice(1))
    const account = this.#access.authenticate(head.authorization)
    if (!(account instanceof Promise)) return this.#admit(account, head, match)
    const kept = keepHead(head)
    return answerLater(
      account.then(known => this.#admit(known, kept, match)),
      bodyLimitOf(route),
    )
  }

  /** Counts a request of an account, or refuses one without. */
  #admit(
    account: Account | Refusal,
    head: RequestHead,
    match: RouteMatch<Route>,
  ): Reply | Promise<Reply> | NeedsBody {
    if (isRefusal(account)) return refused(hasKeyInQuery(head) ? keyInQuery() : account)
    if (this.#openReplies.isFull(account)) return this.#refuseOneMore(account)
    const route = routeOf(match.path.methods, head.method) as KeyRoute
    const isRepetition = route.kind === 'get' && this.#isRepetition(account, head)
    if (!(isRepetition instanceof Promise)) return this.#count(account, !isRepetition, head, match)
    const kept = keepHead(head)
    return isRepetition.then(isFree => this.#count(account, !isFree, kept, match) as Reply | Promise<Reply>)
  }

  /** Counts an admitted request of an account, unless it is free. */
  #count(
    account: Account,
    isCounted: boolean,
    head: RequestHead,
    match: RouteMatch<Route>,
  ): Reply | Promise<Reply> | NeedsBody {
    const use = isCounted ? this.#windows.take(account) : this.#windows.peek(account)
    if (!(use instanceof Promise)) return this.#answer(account, use, isCounted, head, match)
    const kept = keepHead(head)
    return answerLater(
      use.then(settled => this.#answer(account, settled, isCounted, kept, match)),
      bodyLimitOf(routeOf(match.path.methods, head.method) as KeyRoute),
    )
  }

  #answer(
    account: Account,
    use: WindowUse,
    isCounted: boolean,
    head: RequestHead,
    { path: { path, methods }, segment }: RouteMatch<Route>,
  ): Reply | Promise<Reply> | NeedsBody {
    if (!use.allowed)
      return withHeaders(refused(rateExceeded(account.requests, use.reset)), rateHeaders(account, use))
    const route = routeOf(methods, head.method) as KeyRoute
    const refusal =
      (route.kind === 'post' ? refuseMediaType(head) : undefined) ??
      (route.hasNoQuery && head.queryString !== '' ? refuseQuery(head.queryString, path) : undefined)
    if (refusal) return this.#complete(refusal, account, use, isCounted)
    if (route.kind === 'get')
      return this.#finishGet(route.answer(head, account, segment), account, use, isCounted, head)
    // The head cannot be read later.
    const prefer = head.header('prefer')
    return {
      maxBytes: route.maxBytes,
      refuse: refusal => this.#complete(refused(refusal), account, use, isCounted),
      read: (body, caller) =>
        this.#finish(route.answer(body, account, caller, segment, prefer), account, use),
    }
  }

  /** A request to a path that the table does not have. */
  #handleUnknown(head: RequestHead): Reply | Promise<Reply> | NeedsBody {
    const { path, method, authorization } = head
    if (path.startsWith(taapiPrefix)) return this.#taapi.handle(head, path.slice(taapiPrefix.length))
    if (method !== 'get' && method !== 'head' && this.#files.has(path))
      return this.#refuseRoute(methodNotAllowed('GET, HEAD'), head)
    const file = this.#files.reply(head)
    if (file) return file
    if (this.#taapiAtRoot && authorization === '') return this.#taapi.handle(head, path.slice(1))
    return this.#refuseRoute(notFound(path.slice(0, 200)), head)
  }

  /** The path of the route table that a path belongs to, the prefix of version 1, or `other`: a label of metrics with few values. */
  nameOf(path: string): string {
    return this.#matcher.nameOf(path) ?? (path.startsWith(taapiPrefix) ? taapiPrefix : 'other')
  }

  /** Whether a request repeats a question that is pending, which is free. */
  #isRepetition(account: Account, head: RequestHead): boolean | Promise<boolean> {
    return !this.#questions.isEmpty() && this.#questions.take(questionOf(account, head))
  }

  #finishGet(
    reply: Reply | Promise<Reply>,
    account: Account,
    use: WindowUse,
    isCounted: boolean,
    head: RequestHead,
  ): Reply | Promise<Reply> {
    if (!(reply instanceof Promise)) return this.#completeGet(reply, account, use, isCounted, head)
    return this.#openReplies.settle(account, reply, settled =>
      this.#completeGet(settled, account, use, isCounted, head),
    )
  }

  #completeGet(
    reply: Reply,
    account: Account,
    use: WindowUse,
    isCounted: boolean,
    head: RequestHead,
  ): Reply | Promise<Reply> {
    const completed = this.#complete(reply, account, use, isCounted)
    const added = reply.status === 202 ? this.#questions.add(questionOf(account, head)) : undefined
    return added === undefined ? completed : added.then(() => completed)
  }

  #finish(reply: Reply | Promise<Reply>, account: Account, use: WindowUse): Reply | Promise<Reply> {
    return reply instanceof Promise
      ? this.#openReplies.settle(account, reply, settled => this.#complete(settled, account, use, true))
      : this.#complete(reply, account, use, true)
  }

  /** Adds the rate headers to a reply. A free one is taken off the count, unless the request was not counted. */
  #complete(reply: Reply, account: Account, use: WindowUse, isCounted: boolean): Reply {
    if (!reply.isFree) return withHeaders(reply, rateHeaders(account, use))
    const headers = rateHeaders(account, isCounted ? this.#windows.refund(account, use) : use)
    return withHeaders(
      reply,
      reply.status === 429 ? { ...headers, 'Retry-After': String(use.reset) } : headers,
    )
  }

  /** Refuses a request of an account that waits for as many replies as it may. It does no work and costs no request. */
  #refuseOneMore(account: Account): Reply | Promise<Reply> {
    const reply = refused(tooManyOfKey('requests at once', this.#openReplies.maxPerAccount))
    return this.#refuseFor(account, reply)
  }

  /** Refuses a path or a method that there is not; with a key the reply has the rate headers. */
  #refuseRoute(refusal: Refusal, { authorization }: RequestHead): Reply | Promise<Reply> {
    const reply = refused(refusal)
    const account = authorization === '' ? undefined : this.#access.authenticate(authorization)
    return account instanceof Promise
      ? account.then(known => this.#refuseFor(known, reply))
      : this.#refuseFor(account, reply)
  }

  #refuseFor(account: Account | Refusal | undefined, reply: Reply): Reply | Promise<Reply> {
    if (account === undefined || isRefusal(account)) return reply
    const use = this.#windows.peek(account)
    return use instanceof Promise
      ? use.then(settled => withHeaders(reply, rateHeaders(account, settled)))
      : withHeaders(reply, rateHeaders(account, use))
  }
}

/** A question is pending for the account that asks it. */
const questionOf = ({ id }: Account, { path, queryString }: RequestHead): string =>
  `${id} ${path}?${queryString}`

/** Whether a request without a key in its header has one in its query string, as other services expect it. */
const hasKeyInQuery = ({ authorization, queryString }: RequestHead): boolean =>
  authorization === '' && queryString !== '' && hasKeyField(queryString)

const refuseMediaType = ({ contentType }: RequestHead): Reply | undefined =>
  /^application\/json\s*(;|$)/i.test(contentType) ? undefined : refused(unsupportedMediaType())

/** Refuses the query string of a path without parameters; undefined where it has none. */
function refuseQuery(queryString: string, path: string): Reply | undefined {
  const fields = readQueryString(queryString)
  if (isRefusal(fields)) return refused(fields)
  const [name] = fields.keys()
  return name === undefined
    ? undefined
    : refused(unknownParameter(name.slice(0, 60), `The query string of ${path}`, []))
}
