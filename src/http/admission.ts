import { createHash } from 'node:crypto'
import { refuseScope } from '../contract/key-refusals.js'
import { rateWindowSeconds } from '../contract/limits.js'
import { isRefusal, type Refusal, rateExceeded, tooManyOfKey } from '../contract/refusals.js'
import type { Scope } from '../contract/scopes.js'
import type { Account, Plan, Store, WindowUse } from '../contract/storage/stores.js'
import { whenKnown } from '../runtime/when-known.js'
import type { Access } from './access.js'
import type { HttpRequest, Reply, RequestHead } from './reply.js'
import { refusedKind, type UsageCounter } from './usage-counter.js'

/** The body of a request that has none. */
export const noBody = new Uint8Array(0)

/** What a route needs and counts: the scope of the key, and the kind of its requests in the usage of keys. */
export interface RouteAccess {
  readonly scope: Scope
  readonly kind: string
}

/** A request whose account is known, with the account's window after it. */
export interface Admitted {
  readonly account: Account
  readonly kind: string
  use: WindowUse
  /** Whether it was counted: the repetition of a pending question is free. */
  readonly isCounted: boolean
}

/** Says in a request to which account it belongs. */
export function attribute(request: HttpRequest, { account }: Admitted): void {
  request.account = account.name || account.id
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
   * Authenticates and counts a request with this `Authorization` header. `repeatable` is the request where its repetition is free
   * while its answer is pending. The result is at hand where nothing has to be asked of a shared store (ADR 3). A
   * refused request is not counted: its key opens no account, or the account lacks the scope or waits for too many replies.
   */
  admit(
    authorization: string,
    access: RouteAccess,
    repeatable?: RequestHead,
  ): Admitted | Refusal | Promise<Admitted | Refusal> {
    const account = this.#access.authenticate(authorization)
    // A shared store is asked, and an account in memory is not (ADR 3).
    if (account instanceof Promise || (repeatable && !this.#store.freeRetries.isEmpty()))
      return this.#admitLater(account, access, repeatable)
    return isRefusal(account) ? account : (this.#refuse(account, access) ?? this.#count(account, access))
  }

  async #admitLater(
    found: Account | Refusal | Promise<Account | Refusal>,
    access: RouteAccess,
    repeatable: RequestHead | undefined,
  ): Promise<Admitted | Refusal> {
    const account = await found
    const refusal = isRefusal(account) ? account : this.#refuse(account, access)
    if (refusal) return refusal
    const known = account as Account
    if (!repeatable || !(await this.isRepetition(questionOf(known, repeatable, noBody))))
      return this.#count(known, access)
    return {
      account: known,
      kind: access.kind,
      use: await this.#store.rateWindows.peek(known),
      isCounted: false,
    }
  }

  #refuse(account: Account, { scope }: RouteAccess): Refusal | undefined {
    const max = this.#maxOpenPerAccount
    const isFull = this.#open.size > 0 && (this.#open.get(account.id) ?? 0) >= max
    return refuseScope(account, scope) ?? (isFull ? tooManyOfKey('requests at once', max) : undefined)
  }

  #count(account: Account, { kind }: RouteAccess): Admitted | Promise<Admitted> {
    const { id, plan } = account
    this.byPlan[plan]++
    return whenKnown(this.#store.rateWindows.take(account), use => {
      if (!use.allowed) this.refusedByPlan[plan]++
      this.#usage?.count(id, use.allowed ? kind : refusedKind)
      return { account, kind, use, isCounted: true }
    })
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
