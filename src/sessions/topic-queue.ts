import type { Snapshot } from '../candles/columns.js'
import type { ComputeDispatcher } from '../compute/compute-dispatcher.js'
import { placeOf } from '../compute/costs.js'
import { isRefusal } from '../contract/refusals.js'
import { pause } from '../runtime/pause.js'
import { candlesOfTurn, TurnBudget } from '../runtime/turn-budget.js'
import type { Topic } from './topic.js'

/** Milliseconds after which a thread is asked for again that was not to be had. */
const retryMs = 1000

/** What an update takes apart from its computation, in nanoseconds, about: its text, and its delivery to a few clients. */
const updateNs = 10_000

interface Options {
  /** Runs kernels over whole histories; without it they are run on the event loop. */
  readonly threads: Pick<ComputeDispatcher, 'build'> | undefined
  /** Called when a computation throws; its topic computes the whole history again at the next change. */
  readonly onBug: (error: unknown) => void
}

/**
 * Computes topics. What a turn of the event loop has time for is computed at once; what is left waits for the next turns,
 * which the topics take one after the other. Where a kernel has to run over a long history, a thread runs it, and the topic
 * goes on with the state that it had in the end. Nothing of the topic is published meanwhile: the candles that close are
 * computed after it, the oldest first. Where other columns replace those of the history, it begins anew.
 */
export class TopicQueue {
  readonly #options: Options
  /** The topics that wait for a turn. */
  readonly #queue: Topic[] = []
  readonly #budget = new TurnBudget()
  #isScheduled = false

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Has a topic compute the present candles of its group. False where it has not done so yet; the topic tells when it has.
   * Throws what the computation throws.
   */
  advance(topic: Topic): boolean {
    if (topic.work !== 'none') return false
    if (this.#step(topic) === 'done') return true
    if (!topic.isBuilding) this.#add(topic)
    return false
  }

  #add(topic: Topic): void {
    topic.work = 'waits'
    this.#queue.push(topic)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    this.#isScheduled = false
    for (let left = this.#queue.length; left > 0; left--) {
      const topic = this.#queue.shift() as Topic
      topic.work = 'none'
      if (topic.isClosed) continue
      const outcome = this.#tryStep(topic)
      if (outcome === 'done') topic.settle(undefined)
      else if (outcome === 'left' && !topic.isBuilding) this.#add(topic)
      else if (outcome === 'no time') {
        topic.work = 'waits'
        this.#queue.unshift(topic)
        break
      }
    }
    if (this.#queue.length > 0) this.#schedule()
  }

  #tryStep(topic: Topic): 'done' | 'left' | 'no time' | 'failed' {
    try {
      return this.#step(topic)
    } catch (error) {
      topic.fail(error, this.#options.onBug)
      return 'failed'
    }
  }

  /** Takes one step of a topic, where this turn has time for it. Says whether something is left. */
  #step(topic: Topic): 'done' | 'left' | 'no time' {
    const { calculation, nsPerCandle, kernelNsPerCandle } = topic
    const snapshot = topic.group.computed
    // Its value of the newest state of the forming candle may be asked for.
    if (topic.isCurrent) return this.#budget.take(nsPerCandle) ? 'done' : 'no time'
    const candles = calculation.candlesToRun(snapshot)
    // Where it begins with the first candle, only the newest values are written.
    const isAnew = candles === snapshot.closed
    const ns = nsPerCandle + candles * (isAnew ? kernelNsPerCandle : nsPerCandle)
    const place = candles === 0 ? 'here' : placeOf(ns, isAnew && this.#options.threads !== undefined)
    if (place === 'here') {
      if (!this.#budget.take(ns + updateNs)) return 'no time'
      topic.advance()
      return 'done'
    }
    if (place === 'thread' && this.#options.threads) {
      topic.work = 'in a thread'
      void this.#build(topic, snapshot, this.#options.threads)
      return 'left'
    }
    const part = Math.min(candles, candlesOfTurn(nsPerCandle))
    if (!this.#budget.take(part * nsPerCandle)) return 'no time'
    topic.advancePart(part)
    return 'left'
  }

  /** Has a thread run the kernel over the closed candles of a snapshot. */
  async #build(topic: Topic, snapshot: Snapshot, threads: Pick<ComputeDispatcher, 'build'>): Promise<void> {
    const { calculation, spec, caller, accountId } = topic
    try {
      const values = calculation.valuesToBuild(snapshot)
      const packed = await threads.build(spec, snapshot, values, caller, accountId)
      if (isRefusal(packed)) {
        topic.settle(packed)
        await pause(retryMs, caller.signal)
      } else if (topic.group.computed.columns === snapshot.columns) calculation.adopt(snapshot, packed)
      if (!topic.isClosed) this.#add(topic)
    } catch (error) {
      topic.work = 'none'
      if (!topic.isClosed) topic.fail(error, this.#options.onBug)
    }
  }
}
