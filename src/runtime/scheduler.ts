/**
 * Filter of the items that may be taken at present. `key` decides for all items of a key, given the first of them.
 * `item` decides for each item.
 */
export interface Permission<Item> {
  key(key: string, first: Item): boolean
  item?(item: Item): boolean
}

/**
 * Waiting items by the key of their client. Keys take turns, and each key is served in order: a client with much work delays
 * another one by at most one turn.
 */
export class FairQueue<Item> {
  /** Waiting items by key, in the order of their turns; keys without items are absent. */
  readonly #lines = new Map<string, Set<Item>>()
  /** Number of waiting items. */
  size = 0

  sizeOf(key: string): number {
    return this.#lines.get(key)?.size ?? 0
  }

  /** Adds an item, unless it waits already. */
  push(key: string, item: Item): void {
    const line = this.#lines.get(key) ?? new Set()
    if (line.has(item)) return
    this.#lines.set(key, line.add(item))
    this.size++
  }

  /** Takes the first item of the key whose turn it is; an item that may not be taken at present keeps its place. */
  shift(permission?: Permission<Item>): Item | undefined {
    for (const [key, line] of this.#lines) {
      const [first] = line as Iterable<Item> as [Item]
      if (permission?.key(key, first) === false) continue
      for (const item of line) {
        if (permission?.item?.(item) === false) continue
        this.#lines.delete(key)
        this.#lines.set(key, line)
        this.remove(key, item)
        return item
      }
    }
    return undefined
  }

  /** Takes the newest item of the key with the most items, if there are more than `count`. */
  popFromLongest(count: number): Item | undefined {
    let longest = count
    let found: readonly [string, Set<Item>] | undefined
    for (const entry of this.#lines) {
      if (entry[1].size <= longest) continue
      longest = entry[1].size
      found = entry
    }
    if (!found) return undefined
    const [key, line] = found
    const newest = [...line].at(-1) as Item
    this.remove(key, newest)
    return newest
  }

  remove(key: string, item: Item): void {
    const line = this.#lines.get(key)
    if (!line?.delete(item)) return
    this.size--
    if (line.size === 0) this.#lines.delete(key)
  }
}

/** Time slice: nanoseconds of scheduled work in a turn of the event loop. The rest waits for later turns. */
export const sliceNs = 4_000_000

/** Number of candles per time slice at the given nanoseconds each; at least one. */
export const candlesPerSlice = (nsPerCandle: number): number => Math.max(1, Math.floor(sliceNs / nsPerCandle))

/** Estimated maximum number of promises between a waiting caller and its work. */
const stepsUntilDone = 8

interface Waiting {
  readonly begin: () => void
  readonly ns: number
  readonly maxNs: number
}

/**
 * Scheduler of the event loop, which everything in the process shares. Long work requests time first, and runs immediately or
 * in a later turn. A turn has 4 ms for such work, which are measured. A piece of work with a known maximum duration does not
 * start if it would exceed them. Each caller has a name. Waiting callers alternate; the work of one caller keeps its order.
 */
export class Scheduler {
  readonly #waiting = new FairQueue<Waiting>()
  /** Start of the first scheduled work in the present turn; undefined if none has started. */
  #beganMs: number | undefined
  /** Expected duration of the work of this turn. */
  #expectedNs = 0
  /** Whether the caller of `slice` that was given time has not continued yet. */
  #isPromised = false

  /** `nowMs` is a monotonic clock, in milliseconds. */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /**
   * Whether the present turn has time for work of a caller, which must then run immediately. `ns` is its estimated maximum
   * duration, 0 if unknown. The caller gets no time if the turn would exceed `maxNs`. Work longer than a turn runs first in
   * one.
   */
  hasTime(caller: string, ns = 0, maxNs = sliceNs): boolean {
    if (this.#isPromised || (this.#waiting.size > 0 && this.#waiting.sizeOf(caller) > 0)) return false
    if (this.#beganMs === undefined) this.#begin()
    else if (!isWithin(this.#spentNs(), ns, maxNs)) return false
    this.#expectedNs += ns
    return true
  }

  /** Resolves in a later turn that has this time, after the caller's earlier requests. */
  next(caller: string, ns = 0, maxNs = sliceNs): Promise<void> {
    if (this.#beganMs === undefined) this.#begin()
    return new Promise(begin => this.#waiting.push(caller, { begin, ns, maxNs }))
  }

  /**
   * Time for the code after `await scheduler.slice(…)`: in the present turn if it has the time, else in a later one. The
   * caller must await it immediately. Nobody else gets time before the caller has continued, so its work counts first.
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

  /** Runs `work` immediately if this turn has time for it, otherwise in a later one. */
  run<Result>(caller: string, work: () => Result | Promise<Result>): Result | Promise<Result> {
    return this.hasTime(caller) ? work() : this.next(caller).then(work)
  }

  #begin(): void {
    this.#beganMs = this.nowMs()
    this.#expectedNs = 0
    setImmediate(() => {
      this.#beganMs = undefined
      if (this.#waiting.size > 0) void this.#release()
    })
  }

  #spentNs(): number {
    return Math.max(this.#expectedNs, (this.nowMs() - (this.#beganMs as number)) * 1e6)
  }

  /** Starts the waiting work for which this turn has time. */
  async #release(): Promise<void> {
    this.#begin()
    for (let isFirst = true; ; isFirst = false) {
      const spentNs = this.#spentNs()
      const mayBegin = (_: string, { ns, maxNs }: Waiting) => isFirst || isWithin(spentNs, ns, maxNs)
      const waiting = this.#waiting.shift({ key: mayBegin })
      if (!waiting) return
      this.#expectedNs += waiting.ns
      waiting.begin()
      // The work is done, and so is measured, before the loop continues.
      for (let step = 0; step < stepsUntilDone; step++) await undefined
    }
  }
}

/** Whether a turn that has taken `spentNs` has time for `ns` more. */
const isWithin = (spentNs: number, ns: number, maxNs: number): boolean =>
  spentNs === 0 || (spentNs + ns <= maxNs && spentNs <= sliceNs)

/** The scheduler of this thread, because a thread has one event loop. */
export const scheduler = new Scheduler()

/**
 * Runs short work after everything that arrived in this turn of the event loop was read, however much work waits. So items that
 * arrived together are passed on together.
 */
export const afterTurn = (work: () => void): void => {
  setImmediate(work)
}

/** Yields the items of a list, in several turns of the event loop if the caller needs long for them. */
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

/** Number of candles processed without a turn of the event loop in between: a few milliseconds in memory and archive. */
export const pieceLength = 5000

/** The pieces of a list, in order; a short list is one piece. */
export function* piecesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from === 0 || from < items.length; from += pieceLength)
    yield items.slice(from, from + pieceLength)
}

/** Work in steps: at each `yield`, other work may run. */
export type Resumable<Result = void> = Generator<void, Result, void>

/** Runs all steps, with `between` before each but the first one. `between` may end them by throwing. */
export function finish<Result>(steps: Resumable<Result>, between: () => void = () => {}): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    between()
  }
}

/** Runs the steps in order, each in a turn of the event loop that has time for it. */
export async function finishInSlices<Result>(caller: string, steps: Resumable<Result>): Promise<Result> {
  for (;;) {
    await scheduler.slice(caller)
    const step = steps.next()
    if (step.done) return step.value
  }
}

function* merged<Item>(
  one: readonly Item[],
  other: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Resumable<Item[]> {
  const items: Item[] = []
  let [a, b] = [0, 0]
  while (a < one.length && b < other.length) {
    items.push((compare(one[a] as Item, other[b] as Item) <= 0 ? one[a++] : other[b++]) as Item)
    if (items.length % pieceLength === 0) yield
  }
  for (const rest of piecesOf([...one.slice(a), ...other.slice(b)])) {
    for (const item of rest) items.push(item)
    yield
  }
  return items
}

/** Sorts items in several turns of the event loop: sorts pieces and merges them. Equal items keep their order. */
export async function sortInSlices<Item>(
  caller: string,
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Promise<readonly Item[]> {
  let runs: (readonly Item[])[] = []
  for await (const piece of inSlices(caller, piecesOf(items))) runs.push([...piece].sort(compare))
  while (runs.length > 1) {
    const next: (readonly Item[])[] = []
    for (let at = 0; at < runs.length; at += 2) {
      const [one = [], other] = runs.slice(at, at + 2)
      next.push(other ? await finishInSlices(caller, merged(one, other, compare)) : one)
    }
    runs = next
  }
  return runs[0] ?? []
}
