import { MemoryQuestions, repetitionMs } from '../embedded/memory-retries.js'
import type { PendingQuestions } from '../store.js'
import type { Engine } from './redis.js'
import { createScript } from './script.js'

/** Where nodes say which questions are pending. */
const channel = 'pending'
const keyOf = (question: string) => `pending:${question}`

const addQuestion = createScript(`
redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
return redis.call('PUBLISH', ARGV[2], ARGV[3])
`)

/**
 * Pending questions of all nodes. Each node receives them, so that it asks the engine about a question only where it may
 * be one: the engine answers one node that it is a repetition. While the engine is away, each node decides by itself.
 */
export class SharedQuestions implements PendingQuestions {
  readonly #engine: Engine
  /** The pending questions that this node has received. */
  readonly #received: MemoryQuestions

  /** `clock` counts milliseconds from any time and never goes back. */
  constructor(engine: Engine, clock: () => number) {
    this.#engine = engine
    this.#received = new MemoryQuestions(clock)
    void engine.channels.listen(channel, question => this.#received.add(question.toString()))
  }

  isEmpty(): boolean {
    return this.#received.isEmpty()
  }

  take(question: string): boolean | Promise<boolean> {
    const isKnown = this.#received.take(question)
    if (!isKnown || !this.#engine.isUp) return isKnown
    return this.#engine.command('DEL', keyOf(question)).then(
      removed => removed === 1,
      () => true,
    )
  }

  async add(question: string): Promise<void> {
    this.#received.add(question)
    const args = [repetitionMs, this.#engine.channels.nameOf(channel), question]
    await this.#engine.run(addQuestion, [keyOf(question)], args).catch(() => {})
  }
}
