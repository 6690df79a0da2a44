import { createHash } from 'node:crypto'
import {
  type Account,
  hashOf,
  isActive,
  isKeyOf,
  keyPattern,
  type Plan,
  replacedAt,
  type Scope,
  usualScopes,
} from '../contract/account.js'
import { dayOf, usageSeconds } from '../contract/accounts.js'
import { rateWindowSeconds } from '../contract/limits.js'
import {
  accountsUnavailable,
  inactiveKey,
  isRefusal,
  malformedKey,
  missingKey,
  missingScope,
  type Refusal,
  rateExceeded,
  replacedKey,
  tooManyOfKey,
} from '../contract/refusals.js'
import {
  type Accounts,
  type RequestCounts,
  type Store,
  StoreAway,
  type UsageStore,
  type WindowUse,
} from '../contract/storage/stores.js'
import type { AgeClock } from '../runtime/age-clock.js'
import type { HttpRequest, Reply, RequestHead } from './reply.js'

/** Form of an `Authorization` header with a key. */
const bearer = /^Bearer (\S+)$/
/** TTL of a cached account, in milliseconds. A revocation takes effect after this time. */
const cacheMs = 500
/** `Retry-After` of a request whose key cannot be looked up, in seconds. */
const retrySeconds = 1
/** Maximum number of cached headers. The header that was looked up longest ago is evicted first. */
const maxCachedHeaders = 10_000

export type Access = ReturnType<typeof createAccess>

/** Authentication against the store. `clock` is monotonic, in milliseconds; `now` is the time in Unix seconds. */
export function createAccess(accounts: Pick<Accounts, 'find'>, clock: () => number, now: () => number) {
  // Only valid headers are cached, so clients without a key can neither fill the memory nor displace others.
  const cache = new Map<string, { readonly account: Account; readonly until: number }>()

  /** Account of a header that is in the cache; undefined if its entry is missing or expired. */
  function recall(header: string): Account | undefined {
    const cached = cache.get(header)
    return cached !== undefined && clock() < cached.until ? cached.account : undefined
  }

  /**
   * Looks up the account of an `Authorization` header, which must be exactly `Bearer <key>`. Rejects with
   * CorruptAccount if the account cannot be read.
   */
  const authenticate = (header: string): Account | Refusal | Promise<Account | Refusal> =>
    recall(header) ?? find(header)

  async function find(header: string): Promise<Account | Refusal> {
    cache.delete(header)
    const key = bearer.exec(header)?.[1]
    if (key === undefined) return header === '' ? missingKey() : malformedKey()
    if (!keyPattern.test(key)) return missingKey()
    try {
      const hash = hashOf(key)
      const account = await accounts.find(hash)
      if (account === undefined || !isKeyOf(account, hash)) return missingKey()
      if (!isActive(account, now())) return inactiveKey()
      const ended = replacedAt(account, hash, now())
      if (ended !== undefined) return replacedKey(ended)
      if (cache.size >= maxCachedHeaders) cache.delete(cache.keys().next().value ?? '')
      cache.set(header, { account, until: clock() + cacheMs })
      return account
    } catch (error) {
      // The key cannot be checked while the accounts are unreachable.
      if (error instanceof StoreAway) return accountsUnavailable(retrySeconds)
      throw error
    }
  }

  return { recall, authenticate }
}

/** Interval at which counts are stored, in milliseconds. A process that is killed loses at most the counts of this time. */
const storeMs = 10_000
/** Number of accounts whose counts are stored in one step. */
const perStep = 200

/** Kind of usage for requests that the rate window of their account refused. */
export const refusedKind = 'refused'

interface Options {
  readonly store: UsageStore
  /** Current time in Unix seconds. */
  readonly clock: () => number
  /** Clock that decides which days are too old to keep. */
  readonly ages: Pick<AgeClock, 'before'>
  /** Called when counts cannot be stored. They are kept and stored later. */
  readonly onFault: (error: unknown) => void
}

/**
 * Counts the requests of each account in memory, at no measurable cost per request. The counts are added to the stored
 * ones from time to time. A request belongs to the day on which it is stored.
 */
export class UsageCounter {
  readonly store: UsageStore
  #counts = new Map<string, Record<string, number>>()
  readonly #timer: NodeJS.Timeout
  #storing: Promise<void> = Promise.resolve()

  constructor(private readonly options: Options) {
    this.store = options.store
    this.#timer = setInterval(() => this.flush(), storeMs).unref()
  }

  /** Counts requests of an account. A negative number subtracts requests. */
  count(account: string, kind: string, requests = 1): void {
    let counts = this.#counts.get(account)
    if (counts === undefined) {
      counts = {}
      this.#counts.set(account, counts)
    }
    counts[kind] = (counts[kind] ?? 0) + requests
  }

  /** Resolves when the counts are stored, or could not be stored. */
  flush(): Promise<void> {
    this.#storing = this.#storing.then(() => this.#store())
    return this.#storing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  async #store(): Promise<void> {
    const { clock, ages, onFault } = this.options
    const oldest = ages.before(usageSeconds)
    const first = Number.isFinite(oldest) ? dayOf(oldest) : undefined
    const counted = [...this.#counts]
    this.#counts = new Map()
    while (counted.length > 0) {
      const some = counted.slice(0, perStep)
      try {
        await this.store.add(dayOf(clock()), new Map<string, RequestCounts>(some), first)
        counted.splice(0, perStep)
      } catch (error) {
        for (const [account, counts] of counted)
          for (const [kind, count] of Object.entries(counts)) this.count(account, kind, count)
        return onFault(error)
      }
    }
  }
}

export const noBody = new Uint8Array(0)

/** Scope of the key that a route needs, and the kind under which its requests are counted. */
export interface RouteAccess {
  readonly scope: Scope
  readonly kind: string
  /** Whether retrying a request is free while its answer is pending. */
  readonly mayBePending?: boolean
}

/** A request whose account is known, with the state of its rate window after this request. */
export interface Admitted {
  readonly account: Account
  readonly kind: string
  use: WindowUse
  /** Whether the request was counted. Retrying a pending request is free. */
  readonly isCounted: boolean
}

/** Authenticates and counts requests, for `Routes` and for the version 1 interface. */
export class Admission {
  /** Number of requests that wait for their reply, by account. Requests that are answered at once are not counted. */
  readonly #open = new Map<string, number>()

  /** Number of counted requests by plan, and the number of them that the rate window refused. */
  readonly byPlan: Record<Plan, number> = { free: 0, basic: 0, pro: 0, expert: 0, enterprise: 0 }
  readonly refusedByPlan: Record<Plan, number> = { ...this.byPlan }

  /** At most `maxOpenPerAccount` requests of an account may wait for their reply. */
  constructor(
    private readonly access: Access,
    private readonly store: Pick<Store, 'rateWindows' | 'freeRetries'>,
    private readonly maxOpenPerAccount: number,
    private readonly usage?: Pick<UsageCounter, 'count'>,
  ) {}

  /**
   * Authenticates and counts a request whose account and window are in memory (ADR 3). Undefined if something must be
   * awaited, or if the request is refused. Then nothing was counted, and `admit` decides.
   */
  admitNow(request: HttpRequest, { scope, kind, mayBePending }: RouteAccess): Admitted | undefined {
    const { rateWindows, freeRetries } = this.store
    const account = this.access.recall(request.authorization)
    if (!account || (mayBePending && !freeRetries.isEmpty()) || this.#refuse(account, scope)) return undefined
    const use = rateWindows.takeNow?.(account)
    return use && this.#admitted(request, account, kind, use)
  }

  /**
   * Authenticates and counts a request, whose key is in `authorization`. With `repeatable`, retrying it is free while
   * its answer is pending. A refused request is not counted: its key opens no account, its account lacks the scope, or
   * the account has too many open requests.
   */
  async admit(
    request: HttpRequest,
    { scope, kind }: RouteAccess,
    authorization = request.authorization,
    repeatable = false,
  ): Promise<Admitted | Refusal> {
    const account = await this.access.authenticate(authorization)
    if (isRefusal(account)) return account
    const refusal = this.#refuse(account, scope)
    if (refusal) return refusal
    const { rateWindows } = this.store
    if (repeatable && (await this.isRepetition(questionOf(account, request, noBody))))
      return this.#admitted(request, account, kind, await rateWindows.peek(account), false)
    return this.#admitted(request, account, kind, await rateWindows.take(account))
  }

  /**
   * Answers a request in the protocol of another service or program. `refuse` writes a refusal of the request itself,
   * `respond` answers an admitted one.
   */
  async answer(
    request: HttpRequest,
    access: RouteAccess & { readonly authorization: string },
    refuse: (refusal: Refusal) => Reply,
    respond: (account: Account) => Reply | Promise<Reply>,
  ): Promise<Reply> {
    const admitted = await this.admit(request, access, access.authorization)
    if (isRefusal(admitted)) return refuse(admitted)
    const { account, use } = admitted
    const reply = use.allowed
      ? await this.settle(account, respond(account))
      : refuse(rateExceeded(account.requests, use.reset))
    return this.complete(reply, admitted)
  }

  #refuse({ id, scopes = usualScopes }: Account, scope: Scope): Refusal | undefined {
    if (!scopes.includes(scope)) return missingScope(scope, id, scopes)
    const max = this.maxOpenPerAccount
    return (this.#open.get(id) ?? 0) >= max ? tooManyOfKey('requests at once', max) : undefined
  }

  #admitted(
    request: HttpRequest,
    account: Account,
    kind: string,
    use: WindowUse,
    isCounted = true,
  ): Admitted {
    const { id, name, plan } = account
    request.account = name || id
    if (isCounted) {
      this.byPlan[plan]++
      if (!use.allowed) this.refusedByPlan[plan]++
      this.usage?.count(id, use.allowed ? kind : refusedKind)
    }
    return { account, kind, use, isCounted }
  }

  /** Counts `requests` more requests for a counted request. Returns a refusal if the rate window has too few left. */
  async charge(admitted: Admitted, requests: number): Promise<Refusal | undefined> {
    const { account, kind } = admitted
    const use = await this.store.rateWindows.take(account, requests)
    if (!use.allowed) return rateExceeded(account.requests, use.reset)
    this.usage?.count(account.id, kind, requests)
    admitted.use = use
    return undefined
  }

  /** Whether a question repeats a pending one. After that, a further repetition is free only after another `addPending`. */
  async isRepetition(question: string): Promise<boolean> {
    const { freeRetries } = this.store
    return !freeRetries.isEmpty() && (await freeRetries.take(question))
  }

  /** Makes the next repetition of a question free, because it is answered with 202. */
  async addPending(question: string): Promise<void> {
    await this.store.freeRetries.add(question)
  }

  /** Counts a request as open until its reply has arrived. */
  async settle({ id }: Account, reply: Reply | Promise<Reply>): Promise<Reply> {
    this.#open.set(id, (this.#open.get(id) ?? 0) + 1)
    try {
      return await reply
    } finally {
      const left = (this.#open.get(id) ?? 0) - 1
      if (left > 0) this.#open.set(id, left)
      else this.#open.delete(id)
    }
  }

  /** Adds the rate headers to the reply to an admitted request. If the reply is free and was counted, the count is taken back. */
  complete(reply: Reply, { account, kind, use, isCounted }: Admitted): Reply {
    const { status, body, headers: own, isFree = false } = reply
    let shown = use
    if (isFree && isCounted) {
      if (use.allowed) this.usage?.count(account.id, kind, -1)
      shown = this.store.rateWindows.refund(account, use)
    }
    const rate = rateHeaders(account, shown)
    const headers = isFree && status === 429 ? { ...rate, 'Retry-After': String(use.reset) } : rate
    return { status, body, headers: own ? { ...headers, ...own } : headers, isFree }
  }

  /** Header fields of a free reply. Empty if the `Authorization` header opens no account. */
  async freeHeaders(authorization: string): Promise<Readonly<Record<string, string>>> {
    const account = authorization === '' ? undefined : await this.access.authenticate(authorization)
    return account === undefined || isRefusal(account)
      ? {}
      : rateHeaders(account, await this.store.rateWindows.peek(account))
  }
}

/** Key of a pending question. It includes the account, because a question is pending only for the account that asks it. */
export function questionOf({ id }: Account, { path, queryString }: RequestHead, body: Uint8Array): string {
  // The bytes of a body are reused after the reply.
  const digest = body.byteLength === 0 ? '' : createHash('sha256').update(body).digest('base64')
  return `${id} ${path}?${queryString}${digest}`
}

/**
 * Header fields with the limit of an account and its remaining requests. Source:
 * draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4.
 */
export const rateHeaders = (
  { requests }: Account,
  { remaining, reset }: WindowUse,
): Readonly<Record<string, string>> => ({
  'RateLimit-Policy': `"window";q=${requests};w=${rateWindowSeconds}`,
  RateLimit: `"window";r=${remaining};t=${reset}`,
})
