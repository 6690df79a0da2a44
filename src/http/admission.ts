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

/** The form of a header, with the key. */
const bearer = /^Bearer (\S+)$/
/** How long an account is cached, in milliseconds. A revocation takes effect after this time. */
const cacheMs = 500
/** When a client may try again whose key cannot be looked up, in seconds. */
const retrySeconds = 1
/** Headers that are cached at a time; the one that was looked up longest ago is dropped first. */
const maxCachedHeaders = 10_000

export type Access = ReturnType<typeof createAccess>

/** Authentication against the store. `clock` is monotonic, in milliseconds; `now` is the time in Unix seconds. */
export function createAccess(accounts: Pick<Accounts, 'find'>, clock: () => number, now: () => number) {
  // Only valid headers are cached, so clients without a key can neither fill the memory nor displace others.
  const cache = new Map<string, { readonly account: Account; readonly until: number }>()

  /** The account of a header that was looked up shortly before. */
  function recall(header: string): Account | undefined {
    const cached = cache.get(header)
    return cached !== undefined && clock() < cached.until ? cached.account : undefined
  }

  /**
   * The account of an `Authorization` header, which must be exactly `Bearer <key>`. Rejects with CorruptAccount when the account
   * of the key cannot be read.
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
      // Whether a key is valid cannot be said while the accounts cannot be reached.
      if (error instanceof StoreAway) return accountsUnavailable(retrySeconds)
      throw error
    }
  }

  return { recall, authenticate }
}

/** How often what was counted is stored, in milliseconds: a process that is killed loses so much of it at most. */
const storeMs = 10_000
/** Accounts whose requests are stored in one step. */
const perStep = 200

/** The usage under which requests are counted that the rate window of their account refused. */
export const refusedKind = 'refused'

interface Options {
  readonly store: UsageStore
  /** The present time, in Unix seconds. */
  readonly clock: () => number
  /** Clock that decides which days are too old to keep. */
  readonly ages: Pick<AgeClock, 'before'>
  /** Called when counts cannot be stored; they are kept and tried again. */
  readonly onFault: (error: unknown) => void
}

/**
 * Counts the requests of each account in memory, which costs a request nothing that can be measured, and adds them to what is stored from time to
 * time. A request belongs to the day on which it is stored.
 */
export class UsageCounter {
  readonly store: UsageStore
  readonly #options: Options
  #counts = new Map<string, Record<string, number>>()
  readonly #timer: NodeJS.Timeout
  #storing: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.store = options.store
    this.#options = options
    this.#timer = setInterval(() => this.flush(), storeMs).unref()
  }

  /** Counts requests of an account; a negative number takes some off. */
  count(account: string, kind: string, requests = 1): void {
    let counts = this.#counts.get(account)
    if (counts === undefined) {
      counts = {}
      this.#counts.set(account, counts)
    }
    counts[kind] = (counts[kind] ?? 0) + requests
  }

  /** Resolves when what was counted is stored, or could not be. */
  flush(): Promise<void> {
    this.#storing = this.#storing.then(() => this.#store())
    return this.#storing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  async #store(): Promise<void> {
    const { clock, ages, onFault } = this.#options
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

/** The body of a request that has none. */
export const noBody = new Uint8Array(0)

/** What a route needs and counts: the scope of the key, and the kind of its requests in the usage of keys. */
export interface RouteAccess {
  readonly scope: Scope
  readonly kind: string
  /** Whether the repetition of a request is free while its answer is pending. */
  readonly mayBePending?: boolean
}

/** A request whose account is known, with the account's window after it. */
export interface Admitted {
  readonly account: Account
  readonly kind: string
  use: WindowUse
  /** Whether it was counted: the repetition of a pending question is free. */
  readonly isCounted: boolean
}

/** Authenticates and counts requests: what `Routes` and the version 1 interface do alike before they answer. */
export class Admission {
  readonly #access: Access
  readonly #store: Pick<Store, 'rateWindows' | 'freeRetries'>
  readonly #maxOpenPerAccount: number
  /** Requests that wait for their reply, by account. Those that are answered at once are not counted. */
  readonly #open = new Map<string, number>()

  readonly #usage: Pick<UsageCounter, 'count'> | undefined

  /** Counted requests by the plan of their account, and those of them that their window refused. */
  readonly byPlan: Record<Plan, number> = { free: 0, basic: 0, pro: 0, expert: 0, enterprise: 0 }
  readonly refusedByPlan: Record<Plan, number> = { ...this.byPlan }

  /** `maxOpenPerAccount` requests of an account may wait for their reply. */
  constructor(
    access: Access,
    store: Pick<Store, 'rateWindows' | 'freeRetries'>,
    maxOpenPerAccount: number,
    usage?: Pick<UsageCounter, 'count'>,
  ) {
    this.#access = access
    this.#store = store
    this.#maxOpenPerAccount = maxOpenPerAccount
    this.#usage = usage
  }

  /**
   * Authenticates and counts a request whose account and window are in memory (ADR 3). Undefined where something has to be awaited,
   * or the request may be refused: then `admit` decides, and nothing was counted.
   */
  admitNow(request: HttpRequest, { scope, kind, mayBePending }: RouteAccess): Admitted | undefined {
    const { rateWindows, freeRetries } = this.#store
    const account = this.#access.recall(request.authorization)
    if (!account || (mayBePending && !freeRetries.isEmpty())) return undefined
    if (this.#open.size > 0 && (this.#open.get(account.id) ?? 0) >= this.#maxOpenPerAccount) return undefined
    if (!(account.scopes ?? usualScopes).includes(scope)) return undefined
    const use = rateWindows.takeNow?.(account)
    if (!use) return undefined
    this.#count(account, kind, use.allowed)
    request.account = account.name || account.id
    return { account, kind, use, isCounted: true }
  }

  /**
   * Authenticates and counts a request, whose key is in `authorization`. With `repeatable` its repetition is free while its answer is
   * pending. A refused request is not counted: its key opens no account, or the account lacks the scope or waits for too many
   * replies.
   */
  async admit(
    request: HttpRequest,
    { scope, kind }: RouteAccess,
    authorization = request.authorization,
    repeatable = false,
  ): Promise<Admitted | Refusal> {
    const account = await this.#access.authenticate(authorization)
    if (isRefusal(account)) return account
    const refusal = this.#refuse(account, scope)
    if (refusal) return refusal
    request.account = account.name || account.id
    if (repeatable && (await this.isRepetition(questionOf(account, request, noBody))))
      return { account, kind, use: await this.#store.rateWindows.peek(account), isCounted: false }
    const use = await this.#store.rateWindows.take(account)
    this.#count(account, kind, use.allowed)
    return { account, kind, use, isCounted: true }
  }

  #refuse(account: Account, scope: Scope): Refusal | undefined {
    const max = this.#maxOpenPerAccount
    const isFull = (this.#open.get(account.id) ?? 0) >= max
    const own = account.scopes ?? usualScopes
    if (!own.includes(scope)) return missingScope(scope, account.id, own)
    return isFull ? tooManyOfKey('requests at once', max) : undefined
  }

  #count({ id, plan }: Account, kind: string, isAllowed: boolean): void {
    this.byPlan[plan]++
    if (!isAllowed) this.refusedByPlan[plan]++
    this.#usage?.count(id, isAllowed ? kind : refusedKind)
  }

  /** Counts so many more requests for one that was counted. The refusal says that its window does not have them. */
  async charge(admitted: Admitted, requests: number): Promise<Refusal | undefined> {
    const { account, kind } = admitted
    const use = await this.#store.rateWindows.take(account, requests)
    if (!use.allowed) return rateExceeded(account.requests, use.reset)
    this.#usage?.count(account.id, kind, requests)
    admitted.use = use
    return undefined
  }

  /** Whether a question repeats one that is pending. It is not free again before `addPending`. */
  async isRepetition(question: string): Promise<boolean> {
    const { freeRetries } = this.#store
    return !freeRetries.isEmpty() && (await freeRetries.take(question))
  }

  /** A question is answered with 202: its next repetition is free. */
  async addPending(question: string): Promise<void> {
    await this.#store.freeRetries.add(question)
  }

  /** A reply that is not at hand. Until it is there, it counts as a reply that its account waits for. */
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

  /** The header fields of a reply to an admitted request. A free one is taken off the count, if it was counted. */
  headers({ account, kind, use, isCounted }: Admitted, isFree = false): Readonly<Record<string, string>> {
    if (!isFree || !isCounted) return rateHeaders(account, use)
    if (use.allowed) this.#usage?.count(account.id, kind, -1)
    return rateHeaders(account, this.#store.rateWindows.refund(account, use))
  }

  /** The header fields of a reply that costs nothing: none where the `Authorization` header opens no account. */
  async freeHeaders(authorization: string): Promise<Readonly<Record<string, string>>> {
    const account = authorization === '' ? undefined : await this.#access.authenticate(authorization)
    return account === undefined || isRefusal(account)
      ? {}
      : rateHeaders(account, await this.#store.rateWindows.peek(account))
  }
}

/** A question is pending for the account that asks it. */
export function questionOf({ id }: Account, { path, queryString }: RequestHead, body: Uint8Array): string {
  // The bytes of a body are reused after the reply.
  const digest = body.byteLength === 0 ? '' : createHash('sha256').update(body).digest('base64')
  return `${id} ${path}?${queryString}${digest}`
}

/**
 * The headers with the limit of an account and what remains of it.
 * Source: draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4.
 */
export const rateHeaders = (
  { requests }: Account,
  { remaining, reset }: WindowUse,
): Readonly<Record<string, string>> => ({
  'RateLimit-Policy': `"window";q=${requests};w=${rateWindowSeconds}`,
  RateLimit: `"window";r=${remaining};t=${reset}`,
})
