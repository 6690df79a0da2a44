import type { Columns, Snapshot } from '../../candles/columns.js'
import type { Entry } from '../../catalogue/index.js'
import { type IndicatorSpec, memoOf, type Query, specKey } from '../../contract/query.js'
import { type Droppable, SecondChance } from '../../runtime/caches.js'
import { SeenKeys } from '../../runtime/seen-keys.js'
import { planBytesOf } from '../expressions/compile.js'
import type { Calculator } from '../kernels/calculator.js'
import {
  type PackedResults,
  ResultSeries,
  type Window,
  wantedBy,
  windowOf,
  windowOfPast,
} from './result-series.js'

/** Calculations that are remembered as requested once: four bytes each. */
const maxRequested = 65_536
/** The largest share of the memory that one calculation may take. */
const maxShare = 1 / 4
/** The largest share that the calculations of one request may take, so that they do not displace one another. */
const maxShareOfRequest = 1 / 2

/** The calculations over the present columns of one series, by the keys of their specifications. */
interface Calculations {
  /** The id of the columns. */
  readonly columnsId: number
  /** Whether the columns are the present ones of their series. */
  isPresent: boolean
  readonly kept: Map<string, KeptResults>
  /** The number of the series. */
  readonly series: number
}

/** Where a calculation is found by those who ask for it again and again, without keeping it in memory. */
interface KeptHandle {
  readonly cache: ResultCache
  readonly columnsId: number
  /** Undefined once it is kept no more. */
  kept?: KeptResults | undefined
}

/** A calculation that is kept. */
export interface KeptResults extends Droppable {
  readonly handle: KeptHandle
  readonly results: ResultSeries
  readonly calculations: Calculations
  readonly key: string
  /** Streaming topics that follow it. */
  followers: number
  /** The size that counts, in bytes; 0 while none does. */
  counted: number
}

/**
 * The results of calculations over series in memory, for REST and for streaming alike. A calculation is kept from its
 * second request on, since most are repeated often or never. When those that are kept take more than `maxBytes`, the
 * least recently used ones are dropped; those that topics follow then keep their newest value only, and do not count.
 *
 * Where other columns replace the candles of a series, as after a correction, all its calculations are dropped. Those that
 * are requested again are kept from that request on, as are those that were dropped for others.
 */
export class ResultCache {
  readonly #maxBytesOfOne: number
  /** The most bytes that the calculations of one request may take. */
  readonly maxBytesOfRequest: number
  /** By the lineage of columns. */
  readonly #series = new WeakMap<object, Calculations>()
  /** Those whose size counts, with their size when it was last measured. */
  readonly #counted: SecondChance<KeptResults>
  /** The plans of those calculations. */
  readonly #plans = new HeldPlans()
  /** What was requested at least once, by series and key. */
  readonly #requested = new SeenKeys(maxRequested)
  #lastSeries = 0
  /** Queries that were answered without running a kernel over a whole history. */
  hits = 0
  /** Queries for which a kernel was run over a whole history. */
  misses = 0

  constructor(maxBytes: number) {
    this.#maxBytesOfOne = maxBytes * maxShare
    this.maxBytesOfRequest = maxBytes * maxShareOfRequest
    this.#counted = new SecondChance({
      maxBytes,
      otherBytes: () => this.#plans.bytes,
      onDrop: kept => {
        this.#forget(kept)
        if (kept.followers > 0) kept.results.shrink()
        else remove(kept)
      },
    })
  }

  /** Calculations whose size counts. */
  get size(): number {
    return this.#counted.size
  }

  /** Bytes of memory that they take. */
  get bytes(): number {
    return this.#counted.bytes + this.#plans.bytes
  }

  /**
   * The calculation of a query from its second request on; undefined at the first one, and where other columns have
   * replaced those of the snapshot.
   */
  find(spec: IndicatorSpec, { columns }: Snapshot): KeptResults | undefined {
    const memo = memoOf(spec)
    const handle = memo.handle as KeptHandle | undefined
    if (handle?.cache === this && handle.columnsId === columns.id && handle.kept) return handle.kept
    const calculations = this.#calculationsOf(columns)
    if (!calculations) return undefined
    const { key } = memo
    const known = calculations.kept.get(key)
    if (known) {
      memo.handle = known.handle
      return known
    }
    if (!this.#requested.see(`${calculations.series} ${key}`)) return undefined
    const kept = this.#add(calculations, key, spec)
    this.#use(kept)
    return kept
  }

  /**
   * Over how many candles the kernel may have to run for a query that is not refused: those that kept results do not include
   * yet, or all, also those after the ones asked for. It is not remembered as asked for.
   */
  candlesToRun(query: Query, current: Snapshot): number {
    const kept = this.#calculationsOf(current.columns)?.kept.get(specKey(query))
    if (!kept || !this.isWarm(kept, query, current)) return current.count
    return Math.max(0, current.count - kept.results.included)
  }

  /** Whether a kernel need not run over the whole history for a query that is not refused. */
  isWarm({ results }: KeptResults, query: Query, current: Snapshot): boolean {
    if (!results.isBuilt) return false
    if (current.closed < results.included) return windowOfPast(results, query, current) !== undefined
    return results.keeps(wantedBy(results, query, current))
  }

  /**
   * Brings a calculation up to date and returns the window with the values of a query that is not refused. Undefined
   * where they have to be computed otherwise: they take too much memory, or the snapshot is from before.
   */
  prepare(calculator: Calculator, kept: KeptResults, query: Query, current: Snapshot): Window | undefined {
    const { results } = kept
    if (results.isBuilt && current.closed < results.included) {
      const window = windowOfPast(results, query, current)
      this.count(window !== undefined)
      return window
    }
    const isWarm = results.keeps(wantedBy(results, query, current))
    this.count(isWarm)
    if (!isWarm) {
      const values = this.valuesToKeep(kept, query, current)
      if (values === 0) return undefined
      results.build(calculator, current, values)
      this.#use(kept)
    } else if (results.included < current.closed) {
      results.advance(calculator, current, query.backtrack === 0)
      this.#use(kept)
    } else if (kept.counted === 0) this.#use(kept)
    else kept.isUsed = true
    return windowOf(calculator, results, query, current)
  }

  /** Counts queries by whether they were answered without running a kernel over the whole history. */
  count(isHit: boolean, queries = 1): void {
    if (isHit) this.hits += queries
    else this.misses += queries
  }

  /** How many values a calculation has to keep for a query, Infinity for all; 0 where they take too much memory. */
  valuesToKeep({ results }: KeptResults, query: Query, current: Snapshot): number {
    const wanted = wantedBy(results, query, current)
    const fits = (values: number) => results.byteLengthFor(values, current.closed) <= this.#maxBytesOfOne
    const generous = results.keptFor(wanted)
    if (fits(generous)) return generous
    return fits(wanted) ? wanted : 0
  }

  /** Bytes that a calculation takes when it keeps the values of a query, about. */
  bytesToKeep(kept: KeptResults, query: Query, current: Snapshot): number {
    return kept.results.byteLengthFor(this.valuesToKeep(kept, query, current), current.closed)
  }

  /** Takes over what another thread has built over the columns of a snapshot, unless they were replaced meanwhile. */
  adopt(kept: KeptResults, { columns }: Snapshot, packed: PackedResults): void {
    const { calculations, results } = kept
    if (!calculations.isPresent || calculations.columnsId !== columns.id) return
    if (results.isBuilt && results.included > packed.included) return
    results.unpack(packed)
    this.#use(kept)
  }

  /**
   * The calculation of a topic over columns, which stays as long as they and the topic do. One that nothing else uses
   * where other columns have replaced those of the snapshot.
   */
  follow(spec: IndicatorSpec, { columns }: Snapshot): KeptResults {
    const calculations = this.#calculationsOf(columns) ?? newCalculations(columns, 0, false)
    const key = specKey(spec)
    const kept = calculations.kept.get(key) ?? this.#add(calculations, key, spec)
    kept.followers++
    return kept
  }

  /** A topic does not need its calculation any more. */
  unfollow(kept: KeptResults): void {
    kept.followers--
    const { calculations, key } = kept
    if (kept.followers > 0 || calculations.kept.get(key) !== kept) return
    // From now on it counts, and can be dropped.
    this.#use(kept)
  }

  /** Measures a calculation again that a topic has advanced. */
  measure(kept: KeptResults): void {
    if (kept.counted > 0) this.#use(kept)
  }

  /** Counts the calculation with its present size, as the most recently used one, unless it was dropped meanwhile. */
  #use(kept: KeptResults): void {
    const { calculations, results, key } = kept
    const bytes = results.byteLength
    kept.isUsed = true
    if (kept.counted === bytes || !calculations.isPresent || calculations.kept.get(key) !== kept) return
    if (kept.counted === 0) this.#plans.add(results.indicator)
    kept.counted = bytes
    this.#counted.set(kept, bytes)
  }

  /** The size of a calculation does not count any more. */
  #forget(kept: KeptResults): void {
    kept.counted = 0
    this.#plans.delete(kept.results.indicator)
  }

  #add(calculations: Calculations, key: string, spec: IndicatorSpec): KeptResults {
    const handle: KeptHandle = { cache: this, columnsId: calculations.columnsId, kept: undefined }
    const results = new ResultSeries(spec)
    const kept = { results, handle, calculations, key, followers: 0, counted: 0, isUsed: false }
    handle.kept = kept
    calculations.kept.set(key, kept)
    return kept
  }

  /** The calculations over columns; undefined where others have replaced them. */
  #calculationsOf(columns: Columns): Calculations | undefined {
    const known = this.#series.get(columns.lineage)
    if (known && known.columnsId >= columns.id) return known.columnsId === columns.id ? known : undefined
    const fresh = newCalculations(columns, known?.series ?? ++this.#lastSeries, true)
    for (const kept of known?.kept.values() ?? []) {
      kept.handle.kept = undefined
      if (this.#counted.delete(kept)) this.#forget(kept)
    }
    if (known) known.isPresent = false
    this.#series.set(columns.lineage, fresh)
    return fresh
  }
}

const newCalculations = ({ id }: Columns, series: number, isPresent: boolean): Calculations => ({
  columnsId: id,
  isPresent,
  kept: new Map(),
  series,
})

function remove(kept: KeptResults): void {
  const { calculations, key, handle } = kept
  handle.kept = undefined
  if (calculations.kept.get(key) === kept) calculations.kept.delete(key)
}

/** The plans of expressions that calculations keep in memory. One that several of them have in common counts once. */
export class HeldPlans {
  readonly #users = new Map<Entry, number>()
  #bytes = 0

  /** Bytes of memory that they take, about. */
  get bytes(): number {
    return this.#bytes
  }

  /** Bytes that the plan of a calculation would add. */
  bytesToAdd(indicator: Entry): number {
    return this.#users.has(indicator) ? 0 : planBytesOf(indicator)
  }

  /** A calculation is kept from now on. */
  add(indicator: Entry): void {
    const bytes = planBytesOf(indicator)
    if (bytes === 0) return
    const users = this.#users.get(indicator) ?? 0
    if (users === 0) this.#bytes += bytes
    this.#users.set(indicator, users + 1)
  }

  /** A calculation that was added is kept no longer. */
  delete(indicator: Entry): void {
    const users = this.#users.get(indicator)
    if (users === undefined) return
    if (users > 1) this.#users.set(indicator, users - 1)
    else {
      this.#users.delete(indicator)
      this.#bytes -= planBytesOf(indicator)
    }
  }
}
