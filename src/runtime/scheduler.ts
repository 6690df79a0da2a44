import { FairQueue } from './fair-queue.js'

/** What a turn of the event loop has time for, in nanoseconds; what is left waits for later turns. */
export const sliceNs = 4_000_000

/** How many candles a turn has time for that take so many nanoseconds each; at least one. */
export const candlesPerSlice = (nsPerCandle: number): number => Math.max(1, Math.floor(sliceNs / nsPerCandle))

/** The promises that lie between what waits and its work, at most about. */
const stepsUntilDone = 8

interface Waiting {
  readonly begin: () => void
  readonly ns: number
  readonly maxNs: number
}

/**
 * The time of the event loop, which everything in the process shares: work that takes long asks for it first, and is done
 * at once, or in a later turn. A turn has 4 ms for such work. They are measured; where it is known before how long a piece of
 * work takes at most, it is not begun when that would be too much. Callers, which have a name each, take turns in waiting;
 * what waits for one caller keeps its order.
 */
export class Scheduler {
  readonly #nowMs: () => number
  readonly #waiting = new FairQueue<Waiting>()
  /** When the first such work began in the present turn; undefined where none has. */
  #beganMs: number | undefined
  /** What the work of this turn was expected to take. */
  #expectedNs = 0
  /** Whether the caller of `slice` that was given time has not continued yet. */
  #isPromised = false

  /** `nowMs` is a monotonic clock, in milliseconds. */
  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /**
   * Whether the present turn has time for work of a caller, which is then to be done at once. `ns` is what it takes at most,
   * about; 0 where that is not known. It gets none where the turn would then have taken more than `maxNs`. What takes longer
   * than a turn is done first in one.
   */
  hasTime(caller: string, ns = 0, maxNs = sliceNs): boolean {
    if (this.#isPromised || this.#waiting.sizeOf(caller) > 0) return false
    if (this.#beganMs === undefined) this.#begin()
    else if (!isWithin(this.#spentNs(), ns, maxNs)) return false
    this.#expectedNs += ns
    return true
  }

  /** Resolves in a later turn that has this time, after all that the caller has asked for before. */
  next(caller: string, ns = 0, maxNs = sliceNs): Promise<void> {
    if (this.#beganMs === undefined) this.#begin()
    return new Promise(begin => this.#waiting.push(caller, { begin, ns, maxNs }))
  }

  /**
   * Time for what follows `await scheduler.slice(…)`: in the present turn if it has the time, else in a later one. The caller must
   * await it at once. Nobody else gets time before the caller has continued, so its work counts first.
   */
  slice(caller: string, ns = 0, maxNs = sliceNs): Promise<void> | undefined {
    if (!this.hasTime(caller, ns, maxNs)) return this.next(caller, ns, maxNs)
    this.#isPromised = true
    // Microtasks run in order: this one directly before the caller continues.
    queueMicrotask(() => {
      this.#isPromised = false
    })
    return undefined
  }

  /** Does something at once where this turn has time for it, otherwise in a later one. */
  run<Result>(caller: string, work: () => Result | Promise<Result>): Result | Promise<Result> {
    return this.hasTime(caller) ? work() : this.next(caller).then(work)
  }

  #begin(): void {
    this.#beganMs = this.#nowMs()
    this.#expectedNs = 0
    setImmediate(() => {
      this.#beganMs = undefined
      if (this.#waiting.size > 0) void this.#release()
    })
  }

  #spentNs(): number {
    return Math.max(this.#expectedNs, (this.#nowMs() - (this.#beganMs as number)) * 1e6)
  }

  /** Lets begin what waits and this turn has time for. */
  async #release(): Promise<void> {
    this.#begin()
    for (let isFirst = true; ; isFirst = false) {
      const spentNs = this.#spentNs()
      const mayBegin = (_: string, { ns, maxNs }: Waiting) => isFirst || isWithin(spentNs, ns, maxNs)
      const waiting = this.#waiting.shift({ key: mayBegin })
      if (!waiting) return
      this.#expectedNs += waiting.ns
      waiting.begin()
      // It is done, and so is measured, before this goes on.
      for (let step = 0; step < stepsUntilDone; step++) await undefined
    }
  }
}

/** Whether a turn that has taken `spentNs` has time for `ns` more. */
const isWithin = (spentNs: number, ns: number, maxNs: number): boolean =>
  spentNs === 0 || (spentNs + ns <= maxNs && spentNs <= sliceNs)

/** There is one event loop in a thread: everything in it shares its turns. */
export const scheduler = new Scheduler()

/**
 * Does something short after what has arrived in this turn of the event loop was read, however much waits: it passes on
 * together what came together.
 */
export const afterTurn = (work: () => void): void => {
  setImmediate(work)
}

/** The items of a list, in several turns of the event loop where a caller takes long for them. */
export async function* inSlices<Item>(
  caller: string,
  items: Iterable<Item>,
  by: Scheduler = scheduler,
): AsyncGenerator<Item> {
  for (const item of items) {
    await by.slice(caller)
    yield item
  }
}
