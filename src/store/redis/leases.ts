import { crc32 } from 'node:zlib'
import { numbered } from './channels.js'
import type { Redis } from './redis.js'
import { createScript, leaseOfRedis, releaseLease } from './redis-commands.js'

/** The numbers of fences are counted in so many places, so that a name leaves nothing behind. */
const shards = 16

/** The keys of one name lie in one slot of a cluster. */
export function keysOf(name: string): {
  readonly lease: string
  readonly fence: string
  of(kind: string): string
} {
  const shard = numbered(`{${crc32(name) % shards}}`)
  return { lease: `${shard}lease:${name}`, fence: `${shard}fence`, of: kind => `${shard}${kind}:${name}` }
}

/** Answers whether a lease is still that of the token; it ends later then. */
const renewLease = createScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`)

/** The token of a lease, which is of `ARGV[1]` milliseconds; nothing where it is free. */
const readLease = createScript(`${leaseOfRedis}
return isHeld(KEYS[1], ARGV[1]) and redis.call('GET', KEYS[1])`)

/** The right to do something alone, which ends by itself unless it is renewed. */
export interface Lease {
  readonly name: string
  /** What the lease's key holds; a write that names it is refused once another node has the lease. */
  readonly token: string
  /** A number that grows with every lease. */
  readonly fence: number
}

interface Held {
  readonly lease: Lease
  readonly onLost: () => void
}

interface Watched {
  readonly onFree: () => void
  heardAt: number
  /** The number of the lease that is expected to be held. */
  fence: number | undefined
}

/** Renews the leases of this node, and notices when those that it waits for become free. */
export class Leases {
  readonly #redis: Redis
  readonly #held = new Map<string, Held>()
  readonly #watched = new Map<string, Watched>()
  readonly #ticking: NodeJS.Timeout
  #isTicking = false

  /** `ttlMs` is how long a lease lasts that is not renewed; it is renewed three times as often. */
  constructor(
    redis: Redis,
    readonly ttlMs: number,
  ) {
    this.#redis = redis
    this.#ticking = setInterval(() => void this.#tick(), ttlMs / 3).unref()
  }

  /** A token that no other lease has, for a script that takes a lease under it and the number of the fence. */
  get tokenPrefix(): string {
    return `${this.#redis.nodeId}:`
  }

  holds(name: string): boolean {
    return this.#held.has(name)
  }

  /** Renews a lease that a script has taken until it is released; `onLost` is called when another node may have it. */
  keep(name: string, fence: number, onLost: () => void): Lease {
    const lease = { name, fence, token: `${this.tokenPrefix}${fence}` }
    this.#held.set(name, { lease, onLost })
    return lease
  }

  /** Stops renewing; with `isFree`, another node can take the lease at once and does not wait for its end. */
  async release({ name, token }: Lease, isFree = true): Promise<void> {
    if (this.#held.get(name)?.lease.token === token) this.#held.delete(name)
    if (isFree) await this.#redis.transfers.run(releaseLease, [keysOf(name).lease], [token])
  }

  /** A lease that was found lost, by a write that was refused. */
  lose({ name, token }: Lease): void {
    const held = this.#held.get(name)
    if (held?.lease.token !== token) return
    this.#held.delete(name)
    held.onLost()
  }

  /**
   * Calls `onFree` once, when no node has the lease, or another node than expected has it. The lease is read only while `hear`
   * was not called for the time that a lease lasts.
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

  /** Releases all that is still held. Never rejects. */
  async releaseAll(): Promise<void> {
    const held = [...this.#held.values()]
    await Promise.all(held.map(({ lease }) => this.release(lease).catch(() => {})))
  }

  close(): void {
    clearInterval(this.#ticking)
  }

  async #tick(): Promise<void> {
    if (this.#isTicking || !this.#redis.isUp) return
    this.#isTicking = true
    const quietSince = performance.now() - this.ttlMs
    const quiet = [...this.#watched].filter(([, { heardAt }]) => heardAt < quietSince)
    const renewing = [...this.#held.values()].map(({ lease }) => this.#renew(lease))
    // While Redis is away nothing is known. What a lease was needed for is refused if it has ended meanwhile.
    await Promise.allSettled([...renewing, ...quiet.map(([name, watched]) => this.#lookAt(name, watched))])
    this.#isTicking = false
  }

  async #renew(lease: Lease): Promise<void> {
    const isRenewed = await this.#redis.transfers.run(
      renewLease,
      [keysOf(lease.name).lease],
      [lease.token, this.ttlMs],
    )
    if (isRenewed !== 1) this.lose(lease)
  }

  async #lookAt(name: string, watched: Watched): Promise<void> {
    const token = await this.#redis.transfers.run(readLease, [keysOf(name).lease], [this.ttlMs])
    const { fence, onFree } = watched
    const isExpected = token && (fence === undefined || fenceOf(token as string) === fence)
    if (isExpected || this.#watched.get(name) !== watched) return
    this.#watched.delete(name)
    onFree()
  }
}

/** The number of the fence in a token. */
export const fenceOf = (token: string): number => Number(token.slice(token.indexOf(':') + 1))
