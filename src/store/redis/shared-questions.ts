import { MemoryQuestions, repetitionMs } from '../memory-questions.js'
import type { PendingQuestions } from '../store.js'
import type { Engine } from './engine.js'
import { createScript } from './script.js'

/** Where nodes say which questions are pending. */
const channel = 'pending'
const keyOf = (question: string) => `pending:${question}`

const addQuestion = createScript(`
redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
return redis.call('PUBLISH', ARGV[2], ARGV[3])
`)

/**
 * Pending questions of all nodes. Each node is told of them, so that it asks the engine about a question only where it may
 * be one: the engine answers one node that it is a repetition. While the engine is away, each node decides by itself.
 */
export class SharedQuestions implements PendingQuestions {
  readonly #engine: Engine
  /** What this node was told. */
  readonly #told: MemoryQuestions

  /** `clock` counts milliseconds from any time and never goes back. */
  constructor(engine: Engine, clock: () => number) {
    this.#engine = engine
    this.#told = new MemoryQuestions(clock)
    void engine.channels.listen(channel, question => this.#told.add(question.toString()))
  }

  isEmpty(): boolean {
    return this.#told.isEmpty()
  }

  take(question: string): boolean | Promise<boolean> {
    const isTold = this.#told.take(question)
    if (!isTold || !this.#engine.isUp) return isTold
    return this.#engine.command('DEL', keyOf(question)).then(
      removed => removed === 1,
      () => true,
    )
  }

  async add(question: string): Promise<void> {
    this.#told.add(question)
    const args = [repetitionMs, this.#engine.prefix + channel, question]
    await this.#engine.run(addQuestion, [keyOf(question)], args).catch(() => {})
  }
}
