import { readBulkCandles } from '../contract/bulk.js'
import { busy, isRefusal, type Refusal } from '../contract/refusals.js'
import type { Calculator } from './calculator.js'
import { compose, type Desk, type Piece, write, writeLost } from './bulk-layout.js'
import { Costs } from './costs.js'
import { constructsOf, type Intake, suppliedCandles } from './json/body-parser.js'
import { Fragments } from './workers/buffer-pool.js'
import { type Part, pack, type Supplied } from './workers/worker-task.js'
import type { Pool } from './workers/pool.js'
import { StringSheet } from './json/sink.js'

/** JSON text: whole, or in UTF-8 as fragments that are to be released. */
export type Body = string | Fragments

/** Who waits for an answer. */
export interface Caller {
  /** Aborted when nobody waits any longer. */
  readonly gone: AbortSignal
}

interface Options {
  readonly calculator: Calculator
  readonly intake: Intake
  readonly threads: number
  /** The most parts that may wait for a thread. */
  readonly queue: number
  /** What the event loop computes itself, in microseconds by estimate. */
  readonly inlineBudgetUs: number
  /** Bodies with candles that are larger are read by a worker. */
  readonly inlineBodyBytes: number
  /** Told of bugs in computations and of workers that died; the answers carry on without them. */
  readonly onFailure: (error: unknown) => void
  readonly worker?: URL
}

/** The least work that is worth another thread: several times what the hop there and back costs. */
const smallestPartNs = 200_000

/** Seconds after which a caller who was turned away may find room. */
const retrySeconds = 1

const encoder = new TextEncoder()

/** Decides where a bulk answer is computed, and has it done. */
export class Dispatch {
  readonly #options: Options
  readonly #costs = new Costs()
  readonly #desk: Desk
  #pool: Promise<Pool> | undefined

  constructor(options: Options) {
    this.#options = options
    this.#desk = { calculator: options.calculator, costs: this.#costs, onBug: options.onFailure }
  }

  /**
   * The text that the pieces of an answer make together: at once where that takes little, else from the pool, cut
   * into runs of equal weight. Refuses when too much waits already.
   */
  run(pieces: readonly Piece[], verbose: boolean, caller: Caller): Body | Promise<Body | Refusal> {
    const weights = pieces.map(piece =>
      typeof piece === 'string' ? 0 : this.#costs.estimate(piece.question, piece.snapshot),
    )
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    if (total <= this.#options.inlineBudgetUs * 1000) return this.#runHere(pieces, verbose)
    const worthwhile = Math.max(1, Math.floor(total / smallestPartNs))
    return this.#runOnPool(cut(pieces, weights, Math.min(this.#options.threads, worthwhile)), verbose, caller)
  }

  /**
   * The answer to a body of `POST /bulk-candles`, for a plan that allows so many constructs. The body is read until
   * then, but no longer.
   */
  runSupplied(body: Uint8Array, allowed: number, caller: Caller): Body | Refusal | Promise<Body | Refusal> {
    if (body.byteLength > this.#options.inlineBodyBytes) return this.#runBodyOnPool(body, allowed, caller)
    const read = readSections(this.#options.intake, body, allowed)
    return isRefusal(read) ? read : this.run(read.pieces, read.verbose, caller)
  }

  async close(): Promise<void> {
    await (await this.#pool)?.close()
  }

  #runHere(pieces: readonly Piece[], verbose: boolean): string {
    const sheet = new StringSheet(this.#options.calculator.writer)
    write(this.#desk, pieces, verbose, sheet)
    return sheet.text
  }

  async #runOnPool(parts: readonly Run[], verbose: boolean, caller: Caller): Promise<Body | Refusal> {
    const pool = await this.#open()
    if (this.#isFull(pool, parts.length)) return busy(retrySeconds)
    const texts: (readonly Uint8Array[])[] = []
    const heaviestFirst = parts.map((_, at) => at).sort((a, b) => weightOf(parts, b) - weightOf(parts, a))
    await Promise.all(
      heaviestFirst.map(async at => {
        const { pieces } = parts[at] as Run
        const done = await this.#do(pool, pack(pieces, verbose), caller)
        texts[at] = done && !isRefusal(done) ? done : [encoder.encode(writeLost(pieces, verbose))]
      }),
    )
    return new Fragments(texts.flat())
  }

  async #runBodyOnPool(body: Uint8Array, allowed: number, caller: Caller): Promise<Body | Refusal> {
    const pool = await this.#open()
    if (this.#isFull(pool, 1)) return busy(retrySeconds)
    const done = await this.#do(pool, { body, allowed }, caller)
    if (done) return isRefusal(done) ? done : new Fragments(done)
    // The worker died over it: the envelope is still owed, and reading a body harms nobody.
    const read = readSections(this.#options.intake, body, allowed)
    return isRefusal(read) ? read : writeLost(read.pieces, read.verbose)
  }

  /** Has a task done; undefined when its worker died or nobody waits for it. */
  async #do(
    pool: Pool,
    task: Part | Supplied,
    caller: Caller,
  ): Promise<readonly Uint8Array[] | Refusal | undefined> {
    try {
      const { result, costs, bugs } = await pool.run(task, caller.gone)
      if ('questions' in task) {
        for (const [at, { indicator }] of task.questions.entries())
          this.#costs.note(indicator, 1, costs[at] as number)
      }
      for (const bug of bugs) this.#options.onFailure(new Error(bug))
      return result
    } catch (error) {
      if (!caller.gone.aborted) this.#options.onFailure(error)
      return undefined
    }
  }

  #isFull(pool: Pool, parts: number): boolean {
    return pool.waiting + parts > this.#options.queue + pool.idle
  }

  /** The pool, which nothing starts before it is needed: threads cost memory and Piscina time to load. */
  #open(): Promise<Pool> {
    this.#pool ??= import('./workers/pool.js').then(({ Pool }) => {
      const { threads, onFailure, worker = new URL('./workers/worker.js', import.meta.url) } = this.#options
      return new Pool({ threads, worker, onFailure })
    })
    return this.#pool
  }
}

/** Pieces that follow one another, with their weight in nanoseconds. */
interface Run {
  readonly pieces: readonly Piece[]
  readonly weight: number
}

const weightOf = (runs: readonly Run[], at: number) => (runs[at] as Run).weight

/**
 * Cuts pieces into at most `count` runs of about equal weight. Runs keep the order of the request, so that their
 * texts only have to follow one another, and most series are seen by one thread alone.
 */
function cut(pieces: readonly Piece[], weights: readonly number[], count: number): readonly Run[] {
  const runs: Run[] = []
  let rest = weights.reduce((sum, weight) => sum + weight, 0)
  let begin = 0
  let weight = 0
  for (const [at, own] of weights.entries()) {
    weight += own
    // A run ends behind a computation; the last one takes all that is left.
    const isEnd = own > 0 && runs.length < count - 1
    if (isEnd && weight + (nextWeight(weights, at) ?? 0) / 2 >= rest / (count - runs.length)) {
      runs.push({ pieces: pieces.slice(begin, at + 1), weight })
      begin = at + 1
      rest -= weight
      weight = 0
    }
  }
  if (begin < pieces.length) runs.push({ pieces: pieces.slice(begin), weight })
  return runs
}

/** The weight of the computation after the piece at `at`. */
const nextWeight = (weights: readonly number[], at: number) => weights[at + 2]

function readSections(
  intake: Intake,
  body: Uint8Array,
  allowed: number,
): { readonly pieces: readonly Piece[]; readonly verbose: boolean } | Refusal {
  const fields = intake.fields(body, constructsOf)
  const bulk = isRefusal(fields) ? fields : readBulkCandles(fields, allowed, suppliedCandles)
  if (isRefusal(bulk)) return bulk
  const sections = bulk.constructs.map(({ id, items, snapshot }) => ({ id, items, outcome: snapshot }))
  return { pieces: compose(sections, bulk.verbose), verbose: bulk.verbose }
}
