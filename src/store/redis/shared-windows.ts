import type { MemoryWindows } from '../memory-windows.js'
import type { Account, RateWindows, WindowUse } from '../store.js'
import { rateWindowMs, windowUse } from '../window.js'
import { Batches } from './batches.js'
import type { Engine } from './engine.js'
import { createScript } from './script.js'

/**
 * The windows of several accounts: `used` and `ends` of each are kept in a hash. For each account the arguments are its
 * limit, the requests to take, those to give back and the end of the window that they were taken from. The answer is the
 * time, and for each account what was used before the requests were taken, and the end of the window.
 */
const takeWindows = createScript(`
local size = tonumber(ARGV[1])
local answer = { now }
for i, key in ipairs(KEYS) do
  local at = 4 * i - 2
  local limit, takes = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local refunds, refundEnds = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local stored = redis.call('HMGET', key, 'used', 'ends')
  local used, ends = tonumber(stored[1] or 0), tonumber(stored[2] or 0)
  local isOpen = ends > now and ends <= now + size
  if not isOpen then
    used = 0
    ends = now + size
  end
  local left = used
  if isOpen and refundEnds == ends then left = math.max(0, used - refunds) end
  local taken = left + math.max(0, math.min(takes, limit - left))
  if taken ~= used then
    redis.call('HSET', key, 'used', taken, 'ends', ends)
    if not isOpen then redis.call('PEXPIRE', key, size) end
  end
  answer[2 * i] = left
  answer[2 * i + 1] = ends
end
return answer
`)

/** A use of a window of the engine, which other uses are not to be mistaken for. */
class SharedUse implements WindowUse {
  readonly allowed: boolean
  readonly remaining: number
  readonly reset: number
  readonly ends: number

  constructor({ allowed, remaining, reset, ends }: WindowUse) {
    this.allowed = allowed
    this.remaining = remaining
    this.reset = reset
    this.ends = ends
  }
}

interface Request {
  readonly account: Account
  /** Requests that it takes: none for a look, 1, or -1 for one that is given back. */
  readonly count: -1 | 0 | 1
  /** The end of the window that a request is given back to. */
  readonly ends: number
  readonly answer: (use: WindowUse) => void
}

/** What a batch asks of the window of one account. */
interface Demand {
  readonly account: Account
  takes: number
  refunds: number
  refundEnds: number
  /** How many of the batch were allowed so far. */
  allowed: number
}

/**
 * Windows that all nodes share, by the clock of the engine, so they are exact whatever node a request arrives at. The
 * requests that arrive while a command is under way are counted by the next one together. While the engine is away, the
 * windows of this process count.
 */
export class SharedWindows implements RateWindows {
  readonly #engine: Engine
  readonly #alone: MemoryWindows
  readonly #onCountedAlone: () => void
  /** One for all accounts, except in a cluster, where the keys of different accounts are at different servers. */
  readonly #batches = new Map<string, Batches<Request>>()

  /** `alone` are the windows of this process. */
  constructor(engine: Engine, alone: MemoryWindows, onCountedAlone: () => void = () => {}) {
    this.#engine = engine
    this.#alone = alone
    this.#onCountedAlone = onCountedAlone
  }

  take(account: Account): WindowUse | Promise<WindowUse> {
    if (!this.#engine.isUp) return this.#takeAlone(account)
    return new Promise(answer => this.#add({ account, count: 1, ends: 0, answer }))
  }

  peek(account: Account): WindowUse | Promise<WindowUse> {
    if (!this.#engine.isUp) return this.#alone.peek(account)
    return new Promise(answer => this.#add({ account, count: 0, ends: 0, answer }))
  }

  /** The answer does not wait for the engine. A request that this node takes later is counted after it. */
  refund(account: Account, use: WindowUse): WindowUse {
    if (!(use instanceof SharedUse)) return this.#alone.refund(account, use)
    if (!use.allowed) return use
    if (this.#engine.isUp) this.#add({ account, count: -1, ends: use.ends, answer: () => {} })
    return new SharedUse({ ...use, remaining: use.remaining + 1 })
  }

  #takeAlone(account: Account): WindowUse {
    this.#onCountedAlone()
    return this.#alone.take(account)
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
    const demands = demandsOf(requests)
    const args: (string | number)[] = [rateWindowMs]
    for (const { account, takes, refunds, refundEnds } of demands.values())
      args.push(account.requests, takes, refunds, refundEnds)
    try {
      const keys = [...demands.keys()].map(id => `window:{${id}}`)
      answerAll(requests, demands, (await this.#engine.run(takeWindows, keys, args)) as readonly number[])
    } catch {
      for (const { account, count, answer } of requests)
        if (count >= 0) answer(count === 1 ? this.#takeAlone(account) : this.#alone.peek(account))
    }
    // In a cluster there is one for each account that is in use.
    if (this.#engine.isCluster && this.#batches.get(key)?.isDrained) this.#batches.delete(key)
  }
}

function demandsOf(requests: readonly Request[]): ReadonlyMap<string, Demand> {
  const demands = new Map<string, Demand>()
  for (const { account, count, ends } of requests) {
    let demand = demands.get(account.id)
    if (demand === undefined) {
      demand = { account, takes: 0, refunds: 0, refundEnds: 0, allowed: 0 }
      demands.set(account.id, demand)
    }
    if (count === 1) demand.takes++
    // Only the newest window can still be open.
    else if (count === -1 && ends >= demand.refundEnds) {
      demand.refunds = ends === demand.refundEnds ? demand.refunds + 1 : 1
      demand.refundEnds = ends
    }
  }
  return demands
}

/** Answers requests in their order from what the engine has counted for each account. */
function answerAll(
  requests: readonly Request[],
  demands: ReadonlyMap<string, Demand>,
  counted: readonly number[],
): void {
  const now = counted[0] as number
  const places = new Map([...demands.keys()].map((id, at) => [id, 2 * at + 1]))
  for (const { account, count, answer } of requests) {
    if (count < 0) continue
    const demand = demands.get(account.id) as Demand
    const at = places.get(account.id) as number
    const before = (counted[at] as number) + demand.allowed
    const isAllowed = count === 0 || before < demand.account.requests
    if (count === 1 && isAllowed) demand.allowed++
    const used = count === 1 && isAllowed ? before + 1 : before
    answer(new SharedUse(windowUse(account, isAllowed, used, counted[at + 1] as number, now)))
  }
}
