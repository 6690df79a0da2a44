import type { MemoryRateWindows } from '../embedded/memory-rate-windows.js'
import { rateWindowMs } from '../rate-window.js'
import type { Account, RateWindows, WindowUse } from '../store.js'
import { Batches } from './batches.js'
import { numbered } from './message-format.js'
import { OwnedWindows } from './owned-windows.js'
import type { Redis } from './redis.js'
import { createSharedUse, SharedUse } from './shared-use.js'
import {
  readWindowAnswer,
  takeWindows,
  type WindowAnswer,
  type WindowDemand,
  windowArguments,
} from './window-script.js'

/** Where nodes are asked to give back what they hold of the window of an account. */
const reclaimChannel = 'reclaim'
/** Milliseconds after which a refused request asks again whether other nodes have given something back. */
const retryMs = [2, 4, 8, 16, 32, 64]

/**
 * Milliseconds for which an account is refused without asking again that has used up its window: what another node gives
 * back for a free reply is allowed after that.
 */
const refusedMs = 100
/** Accounts that are given back together when this node ends. */
const perGiving = 500

/** What this node knows of the window of an account, and may allow in it by itself. */
interface Share {
  readonly ends: number
  /** When the window ends, by the clock of this process. */
  readonly endsHere: number
  readonly limit: number
  held: number
  /** Requests that are left beside those that this node holds. */
  left: number
  isScarce: boolean
  /** Until when requests are refused without asking, by the clock of this process. */
  refusedUntil: number
}

interface Request {
  readonly account: Account
  readonly kind: 'take' | 'peek' | 'back' | 'settle'
  /** The end of the window that a request is given back to. */
  readonly ends: number
  readonly answer: (use: WindowUse) => void
  /** How often it was told that other nodes may give something back. */
  tries: number
}

/** Where the window of an account is counted. */
export const windowKeyOf = (id: string): string => numbered(`window:{${id}}`)

const ignore = () => {}

/**
 * Windows that all nodes share, by the clock of Redis. A node that alone is asked for an account counts by itself, at
 * once. Where several nodes are asked for one, each is given some requests in advance and allows these by itself; it asks
 * Redis for more, together for all that arrive in the meantime. Nothing is refused before the other nodes were asked
 * for what they hold, so exactly the limit is allowed. While Redis is away, the windows of this process count.
 */
export class RedisRateWindows implements RateWindows {
  readonly #redis: Redis
  readonly #alone: MemoryRateWindows
  readonly #clock: () => number
  readonly #onCountedAlone: () => void
  /** The accounts that this node alone is asked for. */
  readonly #owned: OwnedWindows
  /** What this node knows of the others by account id, in the order in which their windows end. */
  readonly #shares = new Map<string, Share>()
  /** One for all accounts, except in a cluster, where the keys of different accounts are at different servers. */
  readonly #batches = new Map<string, Batches<Request>>()

  /** `alone` are the windows of this process. `clock` counts milliseconds from any time and never goes back. */
  constructor(
    redis: Redis,
    alone: MemoryRateWindows,
    clock: () => number,
    onCountedAlone: () => void = () => {},
  ) {
    this.#redis = redis
    this.#alone = alone
    this.#clock = clock
    this.#onCountedAlone = onCountedAlone
    this.#owned = new OwnedWindows(redis, clock)
    redis.onAway(() => this.#owned.clear())
    redis.channels.onReconnected(() => void this.giveBack())
    void redis.channels.listen(reclaimChannel, message => {
      const [owner, id] = message.toString().split(' ') as [string, string?]
      if (id === undefined) throw new Error('a request to give back without an account')
      if (owner === redis.nodeId || (owner === '*' && this.#shares.has(id))) void this.#settle(id)
    })
  }

  take(account: Account): WindowUse | Promise<WindowUse> {
    if (!this.#redis.isUp) return this.#takeAlone(account)
    const owned = this.#owned.take(account)
    if (owned !== undefined) return owned
    const share = this.#shares.get(account.id)
    const now = this.#clock()
    if (share !== undefined && share.limit === account.requests && share.endsHere > now) {
      if (share.held > 0) {
        share.held--
        return useOf(share, true, share.left + share.held, now)
      }
      if (share.refusedUntil > now) return useOf(share, false, 0, now)
    }
    return this.#ask(account, 'take')
  }

  peek(account: Account): WindowUse | Promise<WindowUse> {
    if (!this.#redis.isUp) return this.#alone.peek(account)
    return this.#owned.peek(account) ?? this.#ask(account, 'peek')
  }

  /** The answer does not wait for Redis. A request that this node takes later is counted after it. */
  refund(account: Account, use: WindowUse): WindowUse {
    if (!(use instanceof SharedUse)) return this.#alone.refund(account, use)
    if (!use.allowed) return use
    if (!this.#owned.refund(account, use.ends)) this.#refundShare(account, use)
    return new SharedUse(true, Math.min(account.requests, use.remaining + 1), use.reset, use.ends)
  }

  /** Gives back to the other nodes what this one counts. Never rejects. */
  async giveBack(): Promise<void> {
    const ids = this.#owned.ids()
    for (let from = 0; from < ids.length && this.#redis.isUp; from += perGiving)
      await Promise.all(ids.slice(from, from + perGiving).map(id => this.#settle(id)))
  }

  #refundShare(account: Account, { ends }: WindowUse): void {
    const share = this.#shares.get(account.id)
    if (share?.ends === ends && !share.isScarce && this.#clock() < share.endsHere) share.held++
    else if (this.#redis.isUp) this.#add({ account, kind: 'back', ends, answer: ignore, tries: 0 })
    if (share) share.refusedUntil = 0
  }

  #takeAlone(account: Account): WindowUse {
    this.#onCountedAlone()
    return this.#alone.take(account)
  }

  /** Gives back what this node counts or holds of an account. */
  async #settle(id: string): Promise<void> {
    const share = this.#shares.get(id)
    const account = { id, requests: share?.limit ?? 0 } as Account
    await new Promise(answer =>
      this.#add({ account, kind: 'settle', ends: share?.ends ?? 0, answer, tries: 0 }),
    )
  }

  #ask(account: Account, kind: 'take' | 'peek'): Promise<WindowUse> {
    return new Promise(answer => this.#add({ account, kind, ends: 0, answer, tries: 0 }))
  }

  #add(request: Request): void {
    const key = this.#redis.isCluster ? request.account.id : ''
    let batches = this.#batches.get(key)
    if (batches === undefined) {
      batches = new Batches(requests => this.#run(key, requests))
      this.#batches.set(key, batches)
    }
    batches.add(request)
  }

  async #run(key: string, requests: readonly Request[]): Promise<void> {
    const byAccount = groupByAccount(requests)
    const demands = [...byAccount].map(([id, own]) => this.#demandOf(id, own))
    const keys = [...byAccount.keys()].map(windowKeyOf)
    const { trust, nodeId, channels, others } = this.#redis
    const context = {
      windowMs: rateWindowMs,
      nodeId,
      channel: channels.nameOf(reclaimChannel),
      deadNodes: others.deadNodes,
      seenAt: others.at,
    }
    try {
      const args = windowArguments(context, demands)
      const [now, ...texts] = (await this.#redis.run(takeWindows, keys, args)) as [number, ...string[]]
      let place = 0
      for (const own of byAccount.values()) {
        const answer = readWindowAnswer(texts[place++] as string)
        const { id } = (own[0] as Request).account
        if (answer.isOwner) this.#owned.begin(id, answer.inAdvance, answer.ends, now, trust)
        this.#answer(own, answer, now)
      }
    } catch {
      for (const { account, kind, answer } of requests)
        answer(kind === 'take' ? this.#takeAlone(account) : this.#alone.peek(account))
    }
    // In a cluster there is one for each account that is in use.
    if (this.#redis.isCluster && this.#batches.get(key)?.isDrained) this.#batches.delete(key)
  }

  /** What requests of one account ask for together. */
  #demandOf(id: string, requests: readonly Request[]): WindowDemand {
    const limit = (requests[0] as Request).account.requests
    const share = this.#shares.get(id)
    const demand: WindowDemand = {
      limit,
      takes: 0,
      back: 0,
      backEnds: share?.ends ?? 0,
      held: 0,
      settles: false,
      isFinal: true,
      // What is counted meanwhile waits for the answer.
      ...this.#owned.end(id),
    }
    for (const { kind, ends, tries } of requests) {
      if (kind === 'take') demand.takes++
      // Only the newest window can still be open.
      if (kind === 'back' && ends >= demand.backEnds) {
        demand.back = ends === demand.backEnds ? demand.back + 1 : 1
        demand.backEnds = ends
      }
      if (kind === 'settle') demand.settles = true
      if (tries < retryMs.length) demand.isFinal = false
    }
    if (share === undefined) return demand
    if (demand.settles) share.isScarce = true
    if ((demand.settles || share.limit !== limit) && demand.backEnds === share.ends) {
      demand.back += share.held
      share.held = 0
    }
    if (share.endsHere > this.#clock()) demand.held = share.held
    return demand
  }

  /** Answers the requests of one account in their order. */
  #answer(requests: readonly Request[], answer: WindowAnswer, redisNow: number): void {
    const { account } = requests[0] as Request
    const now = this.#clock()
    const share = this.#shareOf(account, answer, now, now + (answer.ends - redisNow))
    const left = share.left + share.held
    let granted = 0
    const waiting: Request[] = []
    for (const request of requests) {
      const isTake = request.kind === 'take'
      // Without the node that counts, nothing is known.
      const isAsked = isTake || (request.kind === 'peek' && !answer.isScarce)
      const mayWait = answer.mayReturn && isAsked && request.tries < retryMs.length
      if (isTake && granted < answer.granted) {
        granted++
        request.answer(useOf(share, true, left + answer.granted - granted, now))
      } else if (mayWait) waiting.push(request)
      else {
        if (isTake) share.refusedUntil = now + refusedMs
        request.answer(useOf(share, !isTake, isTake ? 0 : left, now))
      }
    }
    if (waiting.length > 0) this.#retry(waiting)
  }

  #retry(requests: readonly Request[]): void {
    const ms = retryMs[Math.min(...requests.map(({ tries }) => tries))]
    setTimeout(() => {
      for (const request of requests) {
        request.tries++
        this.#add(request)
      }
    }, ms)
  }

  /** What this node knows of a window after an answer of Redis. */
  #shareOf(account: Account, answer: WindowAnswer, now: number, endsHere: number): Share {
    const { ends, isScarce, isOwner } = answer
    const inAdvance = isOwner ? 0 : answer.inAdvance
    const left = answer.left + answer.heldByOthers
    const known = this.#shares.get(account.id)
    if (known?.ends === ends && known.limit === account.requests) {
      known.held += inAdvance
      known.left = left
      known.isScarce = isScarce
      return known
    }
    for (const [id, share] of this.#shares) {
      if (share.endsHere > now) break
      this.#shares.delete(id)
    }
    const limit = account.requests
    const share: Share = { ends, endsHere, limit, held: inAdvance, left, isScarce, refusedUntil: 0 }
    this.#shares.delete(account.id)
    this.#shares.set(account.id, share)
    return share
  }
}

function groupByAccount(requests: readonly Request[]): ReadonlyMap<string, readonly Request[]> {
  const groups = new Map<string, Request[]>()
  for (const request of requests) {
    const group = groups.get(request.account.id)
    if (group === undefined) groups.set(request.account.id, [request])
    else group.push(request)
  }
  return groups
}

const useOf = ({ ends, endsHere }: Share, allowed: boolean, remaining: number, now: number): WindowUse =>
  createSharedUse(allowed, remaining, endsHere - now, ends)
