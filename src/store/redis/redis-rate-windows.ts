import type { Account } from '../../contract/account.js'
import { rateWindowMs } from '../../contract/limits.js'
import type { RateWindows, WindowUse } from '../../contract/storage/stores.js'
import type { MemoryRateWindows } from '../embedded/memory-rate-windows.js'
import { numbered } from './channels.js'
import type { Redis } from './redis.js'
import { createScript, timeOfRedis } from './script.js'

/**
 * KEYS: the window of an account, a hash of the requests that are `used` and of when it `ends`. ARGV: the limit, the length
 * of a window in milliseconds, the requests to take, or -1 for one that is taken off, and when the window of that
 * one ends. The reply says whether they are allowed, how many are left, when the window ends, and in how many milliseconds.
 * A window that ends later than one that begins now dates from before the clock of Redis was set back, and begins anew.
 */
const useWindow = createScript(`${timeOfRedis}
local limit, size, takes = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local used, ends = unpack(redis.call('HMGET', KEYS[1], 'used', 'ends'))
used, ends = tonumber(used or 0), tonumber(ends or 0)
local isOpen = ends > now and ends <= now + size
if not isOpen then used, ends = 0, now + size end
if takes < 0 and (used == 0 or ends ~= tonumber(ARGV[4])) then takes = 0 end
if takes > 0 and used + takes > limit then return {0, math.max(0, limit - used), ends, ends - now} end
if takes ~= 0 and isOpen then
  redis.call('HINCRBY', KEYS[1], 'used', takes)
elseif takes > 0 then
  redis.call('HSET', KEYS[1], 'used', takes, 'ends', ends)
  redis.call('PEXPIRE', KEYS[1], size)
end
return {1, math.max(0, limit - used - takes), ends, ends - now}`)

/** The key of the window of an account. */
export const windowKeyOf = (id: string): string => numbered(`window:{${id}}`)

/** A use of a window in Redis; others are of the windows of this process. */
class RedisUse implements WindowUse {
  constructor(
    readonly allowed: boolean,
    readonly remaining: number,
    readonly reset: number,
    /** By the clock of Redis. */
    readonly ends: number,
  ) {}
}

/**
 * Windows that all nodes share: Redis counts each request, by its own clock. The requests that arrive in one turn of the
 * event loop are sent to it together. While Redis is away, the windows of this process count.
 */
export class RedisRateWindows implements RateWindows {
  readonly #redis: Redis
  readonly #alone: MemoryRateWindows
  readonly #onCountedAlone: () => void

  /** `alone` are the windows of this process. */
  constructor(redis: Redis, alone: MemoryRateWindows, onCountedAlone: () => void = () => {}) {
    this.#redis = redis
    this.#alone = alone
    this.#onCountedAlone = onCountedAlone
  }

  take(account: Account, requests = 1): WindowUse | Promise<WindowUse> {
    const takeAlone = () => {
      this.#onCountedAlone()
      return this.#alone.take(account, requests)
    }
    return this.#redis.isUp ? this.#use(account, requests).catch(takeAlone) : takeAlone()
  }

  peek(account: Account): WindowUse | Promise<WindowUse> {
    const peekAlone = () => this.#alone.peek(account)
    return this.#redis.isUp ? this.#use(account, 0).catch(peekAlone) : peekAlone()
  }

  /** The answer does not wait for Redis, which counts a request that this node takes later after it. */
  refund(account: Account, use: WindowUse): WindowUse {
    if (!(use instanceof RedisUse)) return this.#alone.refund(account, use)
    if (!use.allowed) return use
    this.#use(account, -1, use.ends).catch(() => {})
    return new RedisUse(true, Math.min(account.requests, use.remaining + 1), use.reset, use.ends)
  }

  async #use({ id, requests }: Account, takes: number, windowEnds = 0): Promise<WindowUse> {
    const args = [requests, rateWindowMs, takes, windowEnds]
    const reply = await this.#redis.commands.run(useWindow, [windowKeyOf(id)], args)
    const [allowed, remaining, ends, leftMs] = reply as [number, number, number, number]
    return new RedisUse(allowed === 1, remaining, Math.max(1, Math.ceil(leftMs / 1000)), ends)
  }
}
