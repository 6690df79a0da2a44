import { LRUCache } from 'lru-cache'
import type { Columns, Inputs, Snapshot } from '../../candles/columns.js'
import type { Entry } from '../../catalogue/index.js'
import { type IndicatorSpec, type Query, specKey } from '../../contract/query.js'
import { SeenKeys } from '../../runtime/caches.js'
import { planBytesOf } from '../expressions/compile.js'
import type { Calculator } from '../kernels/calculator.js'
import { isWarm, type PackedResults, ResultSeries, type Window, wantedBy } from './result-series.js'

/** Maximum number of calculations remembered as requested once, at four bytes each. */
const maxRequested = 65_536
/**
 * One use in this number makes a calculation the most recently used one, because a change of that order misses the cache of the
 * processor. A prime number, so that each of many calculations in turn gets its turn.
 */
const notedUse = 17
/** Maximum share of the memory for one calculation. */
const maxShare = 1 / 4
/** Maximum share for the calculations of one request, so that they do not displace one another. */
const maxShareOfRequest = 1 / 2

/** Calculations over the current columns of one series, by the keys of their specifications. */
interface Calculations {
  readonly columnsId: number
  readonly kept: Map<string, KeptResults>
  readonly series: number
}

export interface KeptResults {
  /** Undefined once the calculation is dropped, so that a question that knows it does not keep its memory. */
  results: ResultSeries | undefined
  /** Id of the columns over which the cache finds it; 0 if it is not shared or was dropped. */
  columnsId: number
  /** Whether its size counts. */
  isCounted: boolean
  /** Number of streaming topics that follow the calculation. */
  followers: number
  readonly key: string
  readonly calculations: Calculations | undefined
}

/** A question with the kept results that were found for it, which are found again without their key. */
export interface KnownResults {
  kept?: KeptResults | undefined
}

/**
 * The results of calculations over series in memory, shared by REST and streaming. A calculation is kept from its
 * second request on, because most are repeated often or never. Beyond `maxBytes` the least recently used calculations
 * are dropped. A dropped calculation that topics follow keeps only its newest value, and does not count. When other
 * columns replace the candles of a series, as after a correction, all its calculations are dropped. Dropped
 * calculations are kept again from their next request on.
 */
export class ResultCache {
  readonly #maxBytesOfOne: number
  readonly maxBytesOfRequest: number
  /** Calculations per lineage of columns. */
  readonly #series = new WeakMap<object, Calculations>()
  /** Calculations whose size counts, with their last measured size. Its own bound is never reached, because plans count as well. */
  readonly #counted = new LRUCache<KeptResults, number>({
    maxSize: Number.MAX_SAFE_INTEGER,
    sizeCalculation: bytes => bytes,
  })
  /** The plans of counted calculations. */
  readonly #plans = new HeldPlans()
  /** Calculations that were requested at least once, by series and key. */
  readonly #requested = new SeenKeys(maxRequested)
  #lastSeries = 0
  /** Number of queries answered without running a kernel over a whole history. */
  hits = 0
  /** Number of queries for which a kernel ran over a whole history. */
  misses = 0

  constructor(private readonly maxBytes: number) {
    this.#maxBytesOfOne = maxBytes * maxShare
    this.maxBytesOfRequest = maxBytes * maxShareOfRequest
  }

  /** Number of calculations whose size counts. */
  get size(): number {
    return this.#counted.size
  }

  /** Bytes of memory of these calculations. */
  get bytes(): number {
    return this.#counted.calculatedSize + this.#plans.bytes
  }

  /**
   * Finds the calculation of a query from its second request on. Undefined at the first request, and if other columns
   * have replaced those of the snapshot; both count as misses. The specification of `asker` never changes.
   */
  find(spec: IndicatorSpec, { columns }: Snapshot, asker?: KnownResults): KeptResults | undefined {
    if (asker?.kept?.columnsId === columns.id) return asker.kept
    const key = specKey(spec)
    const present = this.#series.get(columns.lineage)
    const calculations = present?.columnsId === columns.id ? present : this.#calculationsOf(columns)
    let kept = calculations?.kept.get(key)
    if (!kept && calculations && this.#requested.see(`${calculations.series} ${key}`)) {
      kept = this.#add(calculations, key, spec)
      this.#use(kept)
    }
    if (!kept) this.misses++
    if (asker) asker.kept = kept
    return kept
  }

  /**
   * Updates a calculation and returns the window of a query that is not refused. Undefined if the values must be
   * computed without the cache: they need too much memory, or the snapshot is older than the results.
   */
  prepare(calculator: Calculator, kept: KeptResults, query: Query, inputs: Inputs): Window | undefined {
    const { results } = kept
    const current = inputs[0]
    if (!results) {
      this.misses++
      return undefined
    }
    if (!isWarm(results, query, current)) {
      this.misses++
      const values = current.closed < results.included ? 0 : this.valuesToKeep(kept, query, current)
      if (values === 0) return undefined
      results.build(calculator, inputs, values)
      this.#use(kept)
    } else {
      this.hits++
      const isBehind = results.included < current.closed
      if (isBehind) results.advance(calculator, inputs, query.backtrack === 0)
      if (isBehind || !kept.isCounted) this.#use(kept)
      else if (this.hits % notedUse === 0) this.#counted.get(kept)
    }
    return results.window(calculator, query, inputs)
  }

  /** Number of values that a calculation must keep for a query, Infinity for all; 0 if they need too much memory. */
  valuesToKeep({ results }: KeptResults, query: Query, current: Snapshot): number {
    if (!results) return 0
    const wanted = wantedBy(results.shape, query, current)
    const fits = (values: number) => results.byteLengthFor(values, current.closed) <= this.#maxBytesOfOne
    const generous = results.keptFor(wanted)
    if (fits(generous)) return generous
    return fits(wanted) ? wanted : 0
  }

  /** Approximate bytes of a calculation that keeps the values of a query. */
  bytesToKeep(kept: KeptResults, query: Query, current: Snapshot): number {
    return kept.results?.byteLengthFor(this.valuesToKeep(kept, query, current), current.closed) ?? 0
  }

  /** Adopts results that another thread has built, unless the columns of the snapshot have been replaced since then. */
  adopt(kept: KeptResults, { columns }: Snapshot, packed: PackedResults): void {
    const { results } = kept
    if (!results || kept.columnsId !== columns.id) return
    if (results.included > packed.included) return
    results.unpack(packed)
    this.#use(kept)
  }

  /**
   * Finds or adds the calculation of a topic, which stays as long as the columns and the topic. If other columns have
   * replaced those of the snapshot, the calculation is not shared.
   */
  follow(spec: IndicatorSpec, { columns }: Snapshot): KeptResults {
    const calculations = this.#calculationsOf(columns)
    const key = specKey(spec)
    const kept = calculations?.kept.get(key) ?? this.#add(calculations, key, spec)
    kept.followers++
    return kept
  }

  /** Ends the use of a calculation by a topic. */
  unfollow(kept: KeptResults): void {
    kept.followers--
    if (kept.followers > 0) return
    // Without followers the calculation counts, and can be dropped.
    this.#use(kept)
  }

  /** Measures a calculation again after a topic has advanced it. */
  measure(kept: KeptResults): void {
    if (kept.isCounted) this.#use(kept)
  }

  /** Counts a calculation with its current size and marks it as used, unless it has been dropped. */
  #use(kept: KeptResults): void {
    const { results } = kept
    if (!results || kept.columnsId === 0) return
    if (!kept.isCounted) this.#plans.add(results.shape.calculation.indicator)
    kept.isCounted = true
    this.#counted.set(kept, results.byteLength)
    while (this.bytes > this.maxBytes) this.#drop(this.#counted.rkeys().next().value as KeptResults)
  }

  /** Drops a calculation, or all but its newest value while topics follow it. */
  #drop(kept: KeptResults): void {
    if (kept.followers === 0) {
      kept.calculations?.kept.delete(kept.key)
      this.#forget(kept)
      return
    }
    this.#uncount(kept)
    kept.results?.shrink()
  }

  /** Forgets a calculation that is no longer found. */
  #forget(kept: KeptResults): void {
    this.#uncount(kept)
    kept.columnsId = 0
    kept.results = undefined
  }

  /** Stops counting the size of a calculation. */
  #uncount(kept: KeptResults): void {
    if (!this.#counted.delete(kept)) return
    kept.isCounted = false
    if (kept.results) this.#plans.delete(kept.results.shape.calculation.indicator)
  }

  /** Without `calculations`, the calculation is not shared. */
  #add(calculations: Calculations | undefined, key: string, spec: IndicatorSpec): KeptResults {
    const results = new ResultSeries(spec)
    const columnsId = calculations?.columnsId ?? 0
    const kept = { results, columnsId, isCounted: false, followers: 0, key, calculations }
    calculations?.kept.set(key, kept)
    return kept
  }

  /** The calculations over columns; undefined if other columns have replaced them. */
  #calculationsOf(columns: Columns): Calculations | undefined {
    const known = this.#series.get(columns.lineage)
    if (known && known.columnsId >= columns.id) return known.columnsId === columns.id ? known : undefined
    const fresh = { columnsId: columns.id, kept: new Map(), series: known?.series ?? ++this.#lastSeries }
    for (const kept of known?.kept.values() ?? []) this.#forget(kept)
    this.#series.set(columns.lineage, fresh)
    return fresh
  }
}

/** Plans of expressions that calculations keep in memory. A plan shared by several calculations counts once. */
export class HeldPlans {
  readonly #users = new Map<Entry, number>()
  #bytes = 0

  /** Approximate bytes of memory of these plans. */
  get bytes(): number {
    return this.#bytes
  }

  bytesToAdd(indicator: Entry): number {
    return this.#users.has(indicator) ? 0 : planBytesOf(indicator)
  }

  /** Adds the plan of a calculation that is kept. */
  add(indicator: Entry): void {
    const bytes = planBytesOf(indicator)
    if (bytes === 0) return
    const users = this.#users.get(indicator) ?? 0
    if (users === 0) this.#bytes += bytes
    this.#users.set(indicator, users + 1)
  }

  /** Removes the plan of a calculation that was added. */
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
