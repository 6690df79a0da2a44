import type { Snapshot } from '../candles/columns.js'
import { otherCandles } from '../compute/costs.js'
import type { Executor } from '../compute/executor.js'
import { barsInSlices } from '../compute/executor.js'
import { isRefusal } from '../contract/refusals.js'
import { pause } from '../runtime/pause.js'
import { candlesPerSlice, type Scheduler, sliceNs } from '../runtime/scheduler.js'
import type { Topic } from './topic.js'

/** Milliseconds after which a thread is asked for again that was not to be had. */
const retryMs = 1000

/** What an update takes apart from its computation, in nanoseconds, about: its text, and its delivery to a few clients. */
const updateNs = 10_000

interface Options {
  /** Runs kernels over whole histories; without it they are run on the event loop. */
  readonly threads: Pick<Executor, 'build'> | undefined
  /** Called when a computation throws; its topic computes the whole history again at the next change. */
  readonly onBug: (error: unknown) => void
  readonly scheduler: Scheduler
}

/**
 * Computes topics. What a turn of the event loop has time for is computed at once; what is left waits for the next turns,
 * in pieces. Where a kernel has to run over a long history, a thread runs it, and the topic goes on with the state that it
 * had in the end. Nothing of the topic is published meanwhile: the candles that close are computed after it, the oldest
 * first. Where other columns replace those of the history, it begins anew.
 */
export class TopicQueue {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Computes the present candles of a topic's group. False where that takes longer: `whenCurrent` of the topic resolves then.
   * Throws what the computation throws.
   */
  advance(topic: Topic): boolean {
    return topic.work === 'none' && this.#hasBars(topic) && this.#step(topic)
  }

  /** Whether the bars are made that a topic computes; else it goes on when they are. After a correction all are made again. */
  #hasBars(topic: Topic): boolean {
    const bars = barsInSlices(topic.spec.chart, topic.group.computed)
    if ('columns' in bars) return true
    topic.work = 'waits'
    void bars.then(() => this.#goOn(topic))
    return false
  }

  /** Goes on with a topic in a turn that has time for work of `ns` nanoseconds at most. Always false. */
  #wait(topic: Topic, ns: number): false {
    topic.work = 'waits'
    void this.#options.scheduler.next('topics', ns).then(() => this.#goOn(topic))
    return false
  }

  #goOn(topic: Topic): void {
    topic.work = 'none'
    if (topic.isClosed) return
    try {
      if (this.#hasBars(topic) && this.#step(topic, true)) topic.settle(undefined)
    } catch (error) {
      topic.fail(error, this.#options.onBug)
    }
  }

  /** Takes one step of a topic, where this turn has time for it: with `hasTime` it is known to. Whether nothing is left. */
  #step(topic: Topic, hasTime = false): boolean {
    const { calculation, nsPerCandle, kernelNsPerCandle } = topic
    const { scheduler, threads } = this.#options
    const snapshot = topic.computed
    const hasTimeFor = (ns: number) => hasTime || scheduler.hasTime('topics', ns)
    // Its value of the newest state of the forming candle may be asked for.
    if (topic.isCurrent) return hasTimeFor(nsPerCandle) || this.#wait(topic, nsPerCandle)
    const candles = calculation.candlesToRun(snapshot)
    // Where it begins with the first candle, only the newest values are written.
    const isAnew = candles === snapshot.closed
    const all = isAnew ? candles + otherCandles(topic.spec, snapshot) : candles
    const ns = nsPerCandle + all * (isAnew ? kernelNsPerCandle : nsPerCandle)
    if (candles === 0 || ns <= sliceNs) {
      if (!hasTimeFor(ns + updateNs)) return this.#wait(topic, ns + updateNs)
      topic.advance()
      return true
    }
    if (isAnew && threads) {
      topic.work = 'in a thread'
      void this.#build(topic, snapshot, threads)
      return false
    }
    const part = Math.min(candles, candlesPerSlice(nsPerCandle))
    if (hasTimeFor(part * nsPerCandle)) topic.advancePart(part)
    return this.#wait(topic, part * nsPerCandle)
  }

  /** Runs the kernel over the closed candles of a snapshot in a thread. */
  async #build(topic: Topic, snapshot: Snapshot, threads: Pick<Executor, 'build'>): Promise<void> {
    const { calculation, spec, caller } = topic
    try {
      const values = calculation.valuesToBuild(snapshot)
      const packed = await threads.build(spec, snapshot, values, caller)
      if (isRefusal(packed)) {
        topic.settle(packed)
        await pause(retryMs, caller.signal)
      } else if (topic.isOver(snapshot)) calculation.adopt(snapshot, packed)
      if (!topic.isClosed) this.#wait(topic, topic.nsPerCandle + updateNs)
    } catch (error) {
      topic.work = 'none'
      if (!topic.isClosed) topic.fail(error, this.#options.onBug)
    }
  }
}
