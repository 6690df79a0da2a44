import {
  isRefusal,
  malformedQuery,
  methodNotAllowed,
  notFound,
  rateExceeded,
  unsupportedMediaType,
} from '../contract/refusals.js'
import type { Account } from '../store/store.js'
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
import { type RateLimits, rateHeaders, type WindowUse } from './rate-limits.js'
import { type NeedsBody, type Reply, type RequestHead, refused, withHeaders } from './reply.js'
import { RouteMatcher } from './route-matcher.js'
import { routeTable } from './route-table.js'

export interface RouteDependencies extends EndpointDependencies {
  readonly access: Access
  readonly limits: RateLimits
  /** What is served on the paths that no route has. */
  readonly files: StaticFiles
}

/** What answers one method of a path. */
type Route =
  | { readonly kind: 'open'; readonly answer: OpenEndpoint }
  | { readonly kind: 'get'; readonly answer: GetEndpoint }
  | { readonly kind: 'post'; readonly answer: PostEndpoint; readonly maxBytes: number }

type Headers = Readonly<Record<string, string>>

/** The service as a function from a request to its reply, independent of sockets. */
export class Routes {
  readonly #access: Access
  readonly #limits: RateLimits
  readonly #files: StaticFiles
  readonly #matcher: RouteMatcher<Route>

  constructor(dependencies: RouteDependencies) {
    this.#access = dependencies.access
    this.#limits = dependencies.limits
    this.#files = dependencies.files
    const open = createOpenEndpoints(dependencies)
    const get = createGetEndpoints(dependencies)
    const post = createPostEndpoints(dependencies)
    this.#matcher = new RouteMatcher<Route>(
      routeTable.map(row => {
        const { method, path } = row
        if (!row.needsKey) return { method, path, route: { kind: 'open', answer: open[row.id] } }
        if (row.method === 'get') return { method, path, route: { kind: 'get', answer: get[row.id] } }
        return { method, path, route: { kind: 'post', answer: post[row.id], maxBytes: row.maxBodyBytes } }
      }),
    )
  }

  /** Answers a request, or returns what to do with its body. */
  handle(head: RequestHead): Reply | Promise<Reply> | NeedsBody {
    const match = this.#matcher.match(head.path)
    if (!match) return this.#replyWithFile(head)
    const route = match.path.methods.get(head.method)
    if (!route) return refused(methodNotAllowed(match.path.allow))
    if (route.kind === 'open') return route.answer(head)
    const account = this.#access.authenticate(head.authorization)
    if (isRefusal(account)) return refused(account)
    const use = this.#limits.take(account)
    const headers = rateHeaders(account, use)
    if (!use.allowed) return withHeaders(refused(rateExceeded(account.requests, use.reset)), headers)
    if (route.kind === 'get')
      return this.#finish(route.answer(head, account, match.segment), account, use, headers)
    const refusal = refusePost(head)
    if (refusal) return withHeaders(refused(refusal), headers)
    return {
      maxBytes: route.maxBytes,
      read: (body, caller) =>
        this.#finish(route.answer(body, account, caller, match.segment), account, use, headers),
    }
  }

  /** The path of the route table that a path belongs to, or `other`: a label of metrics with few values. */
  nameOf(path: string): string {
    return this.#matcher.nameOf(path) ?? 'other'
  }

  #replyWithFile(head: RequestHead): Reply | Promise<Reply> {
    const { path, method } = head
    if (method !== 'get' && this.#files.has(path)) return refused(methodNotAllowed('GET'))
    return this.#files.reply(head) ?? refused(notFound(path.slice(0, 200)))
  }

  /** Adds the rate headers to a reply. */
  #finish(
    reply: Reply | Promise<Reply>,
    account: Account,
    use: WindowUse,
    headers: Headers,
  ): Reply | Promise<Reply> {
    return reply instanceof Promise
      ? reply.then(settled => this.#complete(settled, account, use, headers))
      : this.#complete(reply, account, use, headers)
  }

  /** A pending reply costs nothing, so that the client may repeat its request. */
  #complete(reply: Reply, account: Account, use: WindowUse, headers: Headers): Reply {
    if (reply.status !== 202) return withHeaders(reply, headers)
    return withHeaders(reply, rateHeaders(account, this.#limits.refund(account, use)))
  }
}

function refusePost({ contentType, queryString }: RequestHead) {
  if (!/^application\/json\s*(;|$)/i.test(contentType)) return unsupportedMediaType()
  return queryString === '' ? undefined : malformedQuery()
}
