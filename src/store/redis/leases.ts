import { crc32 } from 'node:zlib'
import { numbered } from './channels.js'
import type { Redis } from './redis.js'
import { createScript, leaseOfRedis, releaseLease } from './redis-commands.js'

/** Number of counters of fences. Names share the counters, so that a name leaves no key behind. */
const shards = 16

/** Keys of a name. All of them are in the same slot of a cluster. */
export function keysOf(name: string): {
  readonly lease: string
  readonly fence: string
  of(kind: string): string
} {
  const shard = numbered(`{${crc32(name) % shards}}`)
  return { lease: `${shard}lease:${name}`, fence: `${shard}fence`, of: kind => `${shard}${kind}:${name}` }
}

/** Renews a lease if its token is unchanged. Replies whether it was renewed. */
const renewLease = createScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`)

/** Replies with the token of a lease that lasts `ARGV[1]` milliseconds; empty if the lease is free. */
const readLease = createScript(`${leaseOfRedis}
return isHeld(KEYS[1], ARGV[1]) and redis.call('GET', KEYS[1])`)

/** Exclusive right to a task. It expires unless it is renewed. */
export interface Lease {
  readonly name: string
  /** Value of the lease's key. A write with this token is refused once another node has the lease. */
  readonly token: string
  /** Number that grows with every lease. */
  readonly fence: number
}

interface Held {
  readonly lease: Lease
  readonly onLost: () => void
}

interface Watched {
  readonly onFree: () => void
  heardAt: number
  /** Fence of the lease that is expected to be held. */
  fence: number | undefined
}

/** Renews the leases of this node, and reports when a watched lease becomes free. */
export class Leases {
  readonly #held = new Map<string, Held>()
  readonly #watched = new Map<string, Watched>()
  readonly #ticking: NodeJS.Timeout
  #isTicking = false

  /** `ttlMs` is the TTL of a lease in milliseconds. Leases are renewed every third of it. */
  constructor(
    private readonly redis: Redis,
    readonly ttlMs: number,
  ) {
    this.#ticking = setInterval(() => void this.#tick(), ttlMs / 3).unref()
  }

  /** Prefix of the tokens of this node. A script that takes a lease appends the fence, so that each token is unique. */
  get tokenPrefix(): string {
    return `${this.redis.nodeId}:`
  }

  holds(name: string): boolean {
    return this.#held.has(name)
  }

  /** Renews a lease that a script has taken, until it is released. Calls `onLost` when another node may have the lease. */
  keep(name: string, fence: number, onLost: () => void): Lease {
    const lease = { name, fence, token: `${this.tokenPrefix}${fence}` }
    this.#held.set(name, { lease, onLost })
    return lease
  }

  /** Stops renewing a lease. With `isFree`, deletes it, so that another node need not wait for its TTL. */
  async release({ name, token }: Lease, isFree = true): Promise<void> {
    if (this.#held.get(name)?.lease.token === token) this.#held.delete(name)
    if (isFree) await this.redis.transfers.run(releaseLease, [keysOf(name).lease], [token])
  }

  /** Reports a lease as lost, after a write with its token was refused. */
  lose({ name, token }: Lease): void {
    const held = this.#held.get(name)
    if (held?.lease.token !== token) return
    this.#held.delete(name)
    held.onLost()
  }

  /**
   * Calls `onFree` once, when no node has the lease or an unexpected node has it. Reads the lease only if `hear` was not called for
   * the TTL of a lease.
   */
  watch(name: string, onFree: () => void): { hear(): void; expect(fence: number): void; end(): void } {
    const watched: Watched = { onFree, heardAt: performance.now(), fence: undefined }
    this.#watched.set(name, watched)
    return {
      expect: fence => {
        watched.fence = fence
      },
      hear: () => {
        watched.heardAt = performance.now()
      },
      end: () => {
        if (this.#watched.get(name) === watched) this.#watched.delete(name)
      },
    }
  }

  /** Releases all leases of this node. Never rejects. */
  async releaseAll(): Promise<void> {
    const held = [...this.#held.values()]
    await Promise.all(held.map(({ lease }) => this.release(lease).catch(() => {})))
  }

  close(): void {
    clearInterval(this.#ticking)
  }

  async #tick(): Promise<void> {
    if (this.#isTicking || !this.redis.isUp) return
    this.#isTicking = true
    const quietSince = performance.now() - this.ttlMs
    const quiet = [...this.#watched].filter(([, { heardAt }]) => heardAt < quietSince)
    const renewing = [...this.#held.values()].map(({ lease }) => this.#renew(lease))
    // While Redis is away, the state of a lease is unknown. If a lease has expired, writes with its token are refused.
    await Promise.allSettled([...renewing, ...quiet.map(([name, watched]) => this.#lookAt(name, watched))])
    this.#isTicking = false
  }

  async #renew(lease: Lease): Promise<void> {
    const isRenewed = await this.redis.transfers.run(
      renewLease,
      [keysOf(lease.name).lease],
      [lease.token, this.ttlMs],
    )
    if (isRenewed !== 1) this.lose(lease)
  }

  async #lookAt(name: string, watched: Watched): Promise<void> {
    const token = await this.redis.transfers.run(readLease, [keysOf(name).lease], [this.ttlMs])
    const { fence, onFree } = watched
    const isExpected = token && (fence === undefined || fenceOf(token as string) === fence)
    if (isExpected || this.#watched.get(name) !== watched) return
    this.#watched.delete(name)
    onFree()
  }
}

export const fenceOf = (token: string): number => Number(token.slice(token.indexOf(':') + 1))
