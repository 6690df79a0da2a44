import { barSteps } from '../candles/charts/bars.js'
import type { Snapshot } from '../candles/columns.js'
import type { BulkItem } from '../contract/bulk.js'
import { type Market, stocksSourceOf } from '../contract/market.js'
import type { Query } from '../contract/query.js'
import { computationFailed, isRefusal, type Refusal } from '../contract/refusals.js'
import type { Resumable } from '../runtime/scheduler.js'
import { refuseShort, type Settling, settlingOf, warningsOf, withinRange } from './answer.js'
import type { JsonSink } from './json/sink.js'
import type { Calculator } from './kernels/calculator.js'
import type { KeptResults } from './results/result-cache.js'

/** An entry of a bulk answer that must be computed. */
export interface Computation {
  /** The finished text before the entry. */
  readonly before: string
  readonly query: Query
  readonly snapshot: Snapshot
  /** The cached calculation, if its results are kept. */
  kept?: KeptResults | undefined
}

/** A bulk answer before it is computed: finished texts alternate with computations. */
export interface BulkLayout {
  readonly computations: readonly Computation[]
  /** The text after the last computation. */
  readonly end: string
  /** Whether each result is in an envelope. */
  readonly verbose: boolean
}

/** One construct of a bulk answer. */
export interface BulkSection {
  readonly id: string
  readonly items: readonly BulkItem[]
  /** Result of `plainTexts`, if already computed. */
  readonly texts?: readonly string[]
  /** Candles of the market, or the error text if there are none. */
  readonly candles: Snapshot | string
  /** Candles per item, if any item has a chart or other markets. An error text for an item that cannot be computed. */
  readonly shown?: readonly (Snapshot | string)[]
  /** Age of stale candles: seconds since the end of the newest one, for `_age`. */
  readonly age?: number | undefined
  /** The market for `_asset`; absent for supplied candles. */
  readonly market?: Market
}

/**
 * Makes the bars of the charts, one item a step, then lays out the bulk answer. Bars over a long history cost
 * milliseconds.
 */
export function* layoutSteps(sections: readonly BulkSection[], verbose: boolean): Resumable<BulkLayout> {
  return layoutBulk(yield* makeBars(sections), verbose)
}

/** Makes the bars of the charts of sections, one item a step. */
export function* makeBars(sections: readonly BulkSection[]): Resumable<readonly BulkSection[]> {
  const made: BulkSection[] = []
  for (const section of sections) {
    const { items, candles } = section
    if (typeof candles === 'string' || items.every(({ query }) => query.chart === undefined)) {
      made.push(section)
      continue
    }
    const shown: (Snapshot | string)[] = []
    for (const [k, { query }] of items.entries()) {
      const own = section.shown?.[k] ?? candles
      // A worker thread makes the bars of a time range.
      const isLater = typeof own === 'string' || (query.range && own.older)
      shown.push(isLater ? own : yield* barSteps(query.chart, own))
      yield
    }
    made.push({ ...section, shown })
  }
  return made
}

/**
 * Lays out a bulk answer in the order of the request. The bars of charts must have been made. The answer is text,
 * because JavaScript objects move keys that look like numbers to the front. Ids need no escapes: see `idPattern`.
 */
export function layoutBulk(sections: readonly BulkSection[], verbose: boolean): BulkLayout {
  const computations: Computation[] = []
  let text = '{'
  for (const [at, section] of sections.entries()) {
    const { id, items, candles, shown, age, market } = section
    const isWhole =
      age === undefined && typeof candles !== 'string' && !shown?.some(each => typeof each === 'string')
    if (!verbose && isWhole && text === (at === 0 ? '{' : '}')) {
      const texts = section.texts ?? plainTexts(section, at)
      for (const [k, { query }] of items.entries())
        computations.push(toComputation(texts[k] as string, query, (shown?.[k] ?? candles) as Snapshot))
      text = '}'
      continue
    }
    text += `${at === 0 ? '' : ','}"${id}":{`
    const meta: string[] = []
    if (verbose && market) {
      const { exchange, symbol, timeframe } = market
      meta.push(
        `"_asset":${JSON.stringify({ exchange, symbol, timeframe, source: stocksSourceOf(exchange) })}`,
      )
    }
    if (typeof candles === 'string') meta.push(`"_error":${JSON.stringify(candles)}`)
    if (age !== undefined) meta.push(`"_age":${age}`)
    text += meta.join(',')
    for (const [k, item] of items.entries()) {
      text += `${k === 0 && meta.length === 0 ? '' : ','}"${item.id}":`
      if (typeof candles === 'string') {
        text += 'null'
        continue
      }
      if (verbose) text += envelopeStart(item.query)
      const own = shown?.[k] ?? candles
      if (typeof own === 'string') {
        text += `null${envelopeEnd(verbose, own)}`
        continue
      }
      computations.push(toComputation(text, item.query, own))
      text = ''
    }
    text += '}'
  }
  return { computations, end: `${text}}`, verbose }
}

const toComputation = (before: string, query: Query, snapshot: Snapshot): Computation => ({
  before,
  query: withinRange(query, snapshot),
  snapshot,
})

/** A result as JSON text, with the convergence of its values. */
export interface FinishedResult {
  readonly text: string
  readonly settling: Settling
}

/** The same answer with some computations replaced by their finished results or refusals. */
export function withFinished(
  { computations, end, verbose }: BulkLayout,
  finished: ReadonlyMap<Computation, FinishedResult | Refusal>,
): BulkLayout {
  const left: Computation[] = []
  let text = ''
  for (const computation of computations) {
    const result = finished.get(computation)
    text += computation.before
    if (result === undefined) {
      left.push({ ...computation, before: text })
      text = ''
    } else if (isRefusal(result)) text += `null${envelopeEnd(verbose, result.error)}`
    else text += result.text + (verbose ? settledEnd(result.settling) : '')
  }
  return { computations: left, end: text + end, verbose }
}

/**
 * Texts before the results of a construct in an answer that is not verbose, the end of the previous construct included.
 * Callers that repeat a request keep these texts, because joining them costs a fifth of a short answer.
 */
export const plainTexts = ({ id, items }: Pick<BulkSection, 'id' | 'items'>, at: number): readonly string[] =>
  items.map((item, k) => `${k > 0 ? ',' : `${at === 0 ? '{' : '},'}"${id}":{`}"${item.id}":`)

/** The verbose envelope of an entry, up to its result. */
const envelopeStart = ({ indicator, params, source, source2 }: Query): string =>
  `{"indicator":"${indicator.name}","params":${JSON.stringify({ ...params, source, source2 })},"result":`

/** The text after a result: the end of the verbose envelope with its error, or nothing. */
const envelopeEnd = (verbose: boolean, error?: string): string =>
  verbose ? `,"errors":[${error === undefined ? '' : JSON.stringify(error)}]}` : ''

/**
 * The end of the verbose envelope of a computed result. It has the settled digits and, if values are missing, the
 * reason.
 */
const settledEnd = ({ digits, from }: Settling, fewer?: string): string =>
  `,"errors":[],"settled":{"digits":${digits},"from":${from}}${fewer === undefined ? '' : `,"warnings":[${JSON.stringify(fewer)}]`}}`

const failedResult = (verbose: boolean): string => `null${envelopeEnd(verbose, computationFailed())}`

/** The thread's resources for `writeComputations`. */
export interface ComputeContext {
  readonly calculator: Calculator
  /** Called with the error of a computation that threw. */
  readonly onBug: (error: unknown) => void
  /** Called before each computation, so that it can yield the processor. */
  readonly pause?: (() => void) | undefined
  /** Writes the values of a computation that is not refused. If it throws, nothing has been written. */
  readonly writeValues: (computation: Computation, sink: JsonSink) => void
}

/** Writes computations with the texts before them. If one throws, only its own entry fails. */
export function writeComputations(
  context: ComputeContext,
  computations: Iterable<Computation>,
  verbose: boolean,
  sink: JsonSink,
): void {
  for (const computation of computations) {
    const { before, query, snapshot, kept } = computation
    sink.add(before)
    context.pause?.()
    const refusal = refuseShort(query, snapshot, kept?.results.warmup)
    if (refusal) sink.add(`null${envelopeEnd(verbose, refusal.error)}`)
    else if (tryWrite(context, computation, sink))
      sink.add(verbose ? settledEnd(settlingOf(query, snapshot), warningsOf(query, snapshot).fewer) : '')
    else sink.add(failedResult(verbose))
  }
}

function tryWrite({ writeValues, onBug }: ComputeContext, computation: Computation, sink: JsonSink): boolean {
  try {
    writeValues(computation, sink)
    return true
  } catch (error) {
    onBug(error)
    return false
  }
}

/** Text of a bulk answer if no computation could be run. */
export const writeFailed = (computations: readonly Computation[], verbose: boolean): string =>
  computations.map(({ before }) => before + failedResult(verbose)).join('')
