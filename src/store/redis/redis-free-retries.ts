import { MemoryFreeRetries, repetitionMs } from '../embedded/memory-free-retries.js'
import type { FreeRetries } from '../store.js'
import type { Redis } from './redis.js'
import { createScript } from './script.js'

/** Where nodes say which questions are pending. */
const channel = 'pending'
const keyOf = (question: string) => `pending:${question}`

const addQuestion = createScript(`
redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
return redis.call('PUBLISH', ARGV[2], ARGV[3])
`)

/**
 * Pending questions of all nodes. Each node receives them, so that it asks Redis about a question only where it may
 * be one: Redis answers one node that it is a repetition. While Redis is away, each node decides by itself.
 */
export class RedisFreeRetries implements FreeRetries {
  readonly #redis: Redis
  /** The pending questions that this node has received. */
  readonly #received: MemoryFreeRetries

  /** `clock` counts milliseconds from any time and never goes back. */
  constructor(redis: Redis, clock: () => number) {
    this.#redis = redis
    this.#received = new MemoryFreeRetries(clock)
    void redis.channels.listen(channel, question => this.#received.add(question.toString()))
  }

  isEmpty(): boolean {
    return this.#received.isEmpty()
  }

  take(question: string): boolean | Promise<boolean> {
    const isKnown = this.#received.take(question)
    if (!isKnown || !this.#redis.isUp) return isKnown
    return this.#redis.commands.command('DEL', keyOf(question)).then(
      removed => removed === 1,
      () => true,
    )
  }

  async add(question: string): Promise<void> {
    this.#received.add(question)
    const args = [repetitionMs, this.#redis.channels.nameOf(channel), question]
    await this.#redis.commands.run(addQuestion, [keyOf(question)], args).catch(() => {})
  }
}
