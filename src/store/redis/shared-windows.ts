import type { MemoryWindows } from '../memory-windows.js'
import type { Account, RateWindows, WindowUse } from '../store.js'
import { rateWindowMs } from '../window.js'
import { Batches } from './batches.js'
import type { Engine } from './engine.js'
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

/** A use of a window of the engine, which other uses are not to be mistaken for. */
class SharedUse implements WindowUse {
  constructor(
    readonly allowed: boolean,
    readonly remaining: number,
    readonly reset: number,
    readonly ends: number,
  ) {}
}

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

const ignore = () => {}

/**
 * Windows that all nodes share, by the clock of the engine. A node is given some requests in advance and allows them by
 * itself, at once; it asks the engine for more, together for all that arrive in the meantime. Nothing is refused before
 * the other nodes were asked for what they hold, so exactly the limit is allowed. While the engine is away, the windows
 * of this process count.
 */
export class SharedWindows implements RateWindows {
  readonly #engine: Engine
  readonly #alone: MemoryWindows
  readonly #clock: () => number
  readonly #onCountedAlone: () => void
  /** By account id, in the order in which they end. */
  readonly #shares = new Map<string, Share>()
  /** One for all accounts, except in a cluster, where the keys of different accounts are at different servers. */
  readonly #batches = new Map<string, Batches<Request>>()

  /** `alone` are the windows of this process. `clock` counts milliseconds from any time and never goes back. */
  constructor(
    engine: Engine,
    alone: MemoryWindows,
    clock: () => number,
    onCountedAlone: () => void = () => {},
  ) {
    this.#engine = engine
    this.#alone = alone
    this.#clock = clock
    this.#onCountedAlone = onCountedAlone
    void engine.channels.listen(reclaimChannel, id => this.#settle(id.toString()))
  }

  take(account: Account): WindowUse | Promise<WindowUse> {
    if (!this.#engine.isUp) return this.#takeAlone(account)
    const share = this.#shares.get(account.id)
    const now = this.#clock()
    if (share === undefined || share.held === 0 || share.limit !== account.requests || share.endsHere <= now)
      return new Promise(answer => this.#add({ account, kind: 'take', ends: 0, answer, tries: 0 }))
    share.held--
    return useOf(share, true, share.left + share.held, now)
  }

  peek(account: Account): WindowUse | Promise<WindowUse> {
    if (!this.#engine.isUp) return this.#alone.peek(account)
    return new Promise(answer => this.#add({ account, kind: 'peek', ends: 0, answer, tries: 0 }))
  }

  /** The answer does not wait for the engine. A request that this node takes later is counted after it. */
  refund(account: Account, use: WindowUse): WindowUse {
    if (!(use instanceof SharedUse)) return this.#alone.refund(account, use)
    if (!use.allowed) return use
    const share = this.#shares.get(account.id)
    if (share?.ends === use.ends && !share.isScarce && this.#clock() < share.endsHere) share.held++
    else if (this.#engine.isUp) this.#add({ account, kind: 'back', ends: use.ends, answer: ignore, tries: 0 })
    return new SharedUse(true, Math.min(account.requests, use.remaining + 1), use.reset, use.ends)
  }

  #takeAlone(account: Account): WindowUse {
    this.#onCountedAlone()
    return this.#alone.take(account)
  }

  /** Gives back what this node holds of an account. */
  #settle(id: string): void {
    const share = this.#shares.get(id)
    if (share === undefined) return
    const account = { id, requests: share.limit } as Account
    this.#add({ account, kind: 'settle', ends: share.ends, answer: ignore, tries: 0 })
  }

  #add(request: Request): void {
    const key = this.#engine.isCluster ? request.account.id : ''
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
    const keys = [...byAccount.keys()].map(id => `window:{${id}}`)
    try {
      const { nodeId, prefix } = this.#engine
      const args = windowArguments(rateWindowMs, nodeId, prefix + reclaimChannel, demands)
      const answers = (await this.#engine.run(takeWindows, keys, args)) as readonly [number, ...string[]]
      let place = 0
      for (const own of byAccount.values())
        this.#answer(own, readWindowAnswer(answers[++place] as string), answers[0])
    } catch {
      for (const { account, kind, answer } of requests) {
        if (kind === 'take') answer(this.#takeAlone(account))
        else if (kind === 'peek') answer(this.#alone.peek(account))
      }
    }
    // In a cluster there is one for each account that is in use.
    if (this.#engine.isCluster && this.#batches.get(key)?.isDrained) this.#batches.delete(key)
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
    demand.held = share.held
    return demand
  }

  /** Answers the requests of one account in their order. */
  #answer(requests: readonly Request[], answer: WindowAnswer, engineNow: number): void {
    const { account } = requests[0] as Request
    const now = this.#clock()
    const share = this.#shareOf(account, answer, now, now + (answer.ends - engineNow))
    const left = share.left + share.held
    let granted = 0
    const refused: Request[] = []
    for (const request of requests) {
      if (request.kind === 'peek') request.answer(useOf(share, true, left, now))
      if (request.kind !== 'take') continue
      if (granted < answer.granted) {
        granted++
        request.answer(useOf(share, true, left + answer.granted - granted, now))
      } else if (answer.mayReturn && request.tries < retryMs.length) refused.push(request)
      else request.answer(useOf(share, false, 0, now))
    }
    if (refused.length > 0) this.#retry(refused)
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

  /** What this node knows of a window after an answer of the engine. */
  #shareOf(account: Account, answer: WindowAnswer, now: number, endsHere: number): Share {
    const { inAdvance, ends, isScarce } = answer
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
    const share: Share = { ends, endsHere, limit: account.requests, held: inAdvance, left, isScarce }
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

/** `remaining` are the requests that are left after this one. */
const useOf = ({ ends, endsHere }: Share, allowed: boolean, remaining: number, now: number): WindowUse =>
  new SharedUse(allowed, remaining, Math.max(1, Math.ceil(Math.floor(endsHere - now) / 1000)), ends)
