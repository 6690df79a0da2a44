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
import type { PendingQuestions } from './pending-questions.js'
import { type RateLimits, rateHeaders } from './rate-limits.js'
import { type NeedsBody, type Reply, type RequestHead, refused, withHeaders } from './reply.js'
import { RouteMatcher } from './route-matcher.js'
import { routeTable } from './route-table.js'

export interface RouteDependencies extends EndpointDependencies {
  readonly access: Access
  readonly limits: RateLimits
  readonly pendingQuestions: PendingQuestions
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
  readonly #pendingQuestions: PendingQuestions
  readonly #matcher: RouteMatcher<Route>

  constructor(dependencies: RouteDependencies) {
    this.#access = dependencies.access
    this.#limits = dependencies.limits
    this.#pendingQuestions = dependencies.pendingQuestions
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
    if (!match) return refused(notFound(head.path.slice(0, 200)))
    const route = match.path.methods.get(head.method)
    if (!route) return refused(methodNotAllowed(match.path.allow))
    if (route.kind === 'open') return route.answer()
    const account = this.#access.authenticate(head.authorization)
    if (isRefusal(account)) return refused(account)
    const question = route.kind === 'get' ? this.#pendingQuestionOf(account, head) : undefined
    const use = question === undefined ? this.#limits.take(account) : this.#limits.peek(account)
    const headers = rateHeaders(account, use)
    if (!use.allowed) return withHeaders(refused(rateExceeded(account.requests, use.reset)), headers)
    if (route.kind === 'get')
      return this.#finishGet(route.answer(head, account, match.segment), account, head, headers)
    const refusal = refusePost(head)
    if (refusal) return withHeaders(refused(refusal), headers)
    return {
      maxBytes: route.maxBytes,
      read: (body, caller) => finish(route.answer(body, account, caller, match.segment), headers),
    }
  }

  /** The path of the route table that a path belongs to, or `other`: a label of metrics with few values. */
  nameOf(path: string): string {
    return this.#matcher.nameOf(path) ?? 'other'
  }

  /** The question that a request repeats while it is pending, which is free; undefined for a new question. */
  #pendingQuestionOf(account: Account, head: RequestHead): string | undefined {
    if (this.#pendingQuestions.isEmpty()) return undefined
    const question = questionOf(account, head)
    return this.#pendingQuestions.take(question) ? question : undefined
  }

  #finishGet(
    reply: Reply | Promise<Reply>,
    account: Account,
    head: RequestHead,
    headers: Headers,
  ): Reply | Promise<Reply> {
    if (!(reply instanceof Promise)) return this.#complete(reply, account, head, headers)
    return reply.then(settled => this.#complete(settled, account, head, headers))
  }

  #complete(reply: Reply, account: Account, head: RequestHead, headers: Headers): Reply {
    if (reply.status === 202) this.#pendingQuestions.add(questionOf(account, head))
    return withHeaders(reply, headers)
  }
}

/** Adds the rate headers to a reply. */
const finish = (reply: Reply | Promise<Reply>, headers: Headers): Reply | Promise<Reply> =>
  reply instanceof Promise
    ? reply.then(settled => withHeaders(settled, headers))
    : withHeaders(reply, headers)

/** A question is pending for the account that asks it. */
const questionOf = ({ id }: Account, { path, queryString }: RequestHead): string =>
  `${id} ${path}?${queryString}`

function refusePost({ contentType, queryString }: RequestHead) {
  if (!/^application\/json\s*(;|$)/i.test(contentType)) return unsupportedMediaType()
  return queryString === '' ? undefined : malformedQuery()
}
