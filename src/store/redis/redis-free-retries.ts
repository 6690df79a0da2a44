import type { FreeRetries } from '../../contract/storage/stores.js'
import { MemoryFreeRetries, repetitionMs } from '../embedded/memory-free-retries.js'
import type { Redis } from './redis.js'
import { createScript } from './script.js'

/** The channel on which nodes say which requests are pending. */
const channel = 'pending'
const retryKey = (request: string) => `pending:${request}`

const addRequest = createScript(`
redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
return redis.call('PUBLISH', ARGV[2], ARGV[3])
`)

/**
 * The requests that may be repeated at any node. Each node receives them, so that it asks Redis only about one that may be
 * a repetition. Redis answers one node that it is. While Redis is away, each node decides by itself.
 */
export class RedisFreeRetries implements FreeRetries {
  readonly #redis: Redis
  /** The pending requests that this node has received. */
  readonly #received: MemoryFreeRetries

  /** `clock` counts milliseconds from any time and never goes back. */
  constructor(redis: Redis, clock: () => number) {
    this.#redis = redis
    this.#received = new MemoryFreeRetries(clock)
    void redis.channels.listen(channel, request => this.#received.add(request.toString()))
  }

  isEmpty(): boolean {
    return this.#received.isEmpty()
  }

  take(request: string): boolean | Promise<boolean> {
    const isKnown = this.#received.take(request)
    if (!isKnown || !this.#redis.isUp) return isKnown
    return this.#redis.commands.command('DEL', retryKey(request)).then(
      removed => removed === 1,
      () => true,
    )
  }

  async add(request: string): Promise<void> {
    this.#received.add(request)
    const args = [repetitionMs, this.#redis.channels.nameOf(channel), request]
    await this.#redis.commands.run(addRequest, [retryKey(request)], args).catch(() => {})
  }
}
