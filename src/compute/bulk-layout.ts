import { barSteps } from '../candles/charts/bars.js'
import type { Inputs } from '../candles/columns.js'
import type { BulkItem } from '../contract/bulk.js'
import { type Market, stocksSourceOf } from '../contract/market.js'
import type { Query } from '../contract/query.js'
import { computationFailed, isRefusal, type Refusal } from '../contract/refusals.js'
import type { Resumable } from '../runtime/scheduler.js'
import {
  type Computation,
  type Computing,
  refuseShort,
  type Settling,
  settlingOf,
  warningsOf,
  withinRange,
} from './answer.js'
import type { JsonSink } from './json/sink.js'
import { shapeOf } from './kernels/shape.js'

/** An entry of a bulk answer that must be computed. */
export interface BulkComputation extends Computation {
  /** The finished text before the entry. */
  readonly before: string
}

/** A bulk answer before it is computed: finished texts alternate with computations. */
export interface BulkLayout {
  readonly computations: readonly BulkComputation[]
  /** The text after the last computation. */
  readonly end: string
  /** Whether each result is in an envelope. */
  readonly verbose: boolean
  /** Whether an item has a time range over a history that is longer than the candles in memory. */
  readonly isRanged?: boolean
}

/** One construct of a bulk answer. */
export interface BulkSection {
  readonly id: string
  readonly items: readonly BulkItem[]
  /** Candles of the market, or the error text if there are none. */
  readonly candles: Inputs | string
  /** Candles per item, if any item has a chart or other markets. An error text for an item that cannot be computed. */
  readonly shown?: readonly (Inputs | string)[]
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
    const shown: (Inputs | string)[] = []
    for (const [k, { query }] of items.entries()) {
      const own = section.shown?.[k] ?? candles
      // A worker thread makes the bars of a time range.
      const isLater = typeof own === 'string' || (query.range && own[0].older)
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
  const computations: BulkComputation[] = []
  let isRanged = false
  let text = '{'
  for (const [at, section] of sections.entries()) {
    const { id, items, candles, shown } = section
    const head = headOf(section, verbose)
    text += `${at === 0 ? '' : ','}"${id}":{${head}`
    for (let k = 0; k < items.length; k++) {
      const item = items[k] as BulkItem
      const { query } = item
      item.head ??= `,"${item.id}":`
      text += k === 0 && head === '' ? item.head.slice(1) : item.head
      if (typeof candles === 'string') {
        text += 'null'
        continue
      }
      if (verbose) text += envelopeStart(query)
      const inputs = shown?.[k] ?? candles
      if (typeof inputs === 'string') {
        text += `null${envelopeEnd(verbose, inputs)}`
        continue
      }
      if (query.range && inputs[0].older) isRanged = true
      const fitted = query.range ? withinRange(query, inputs[0]) : query
      computations.push({ before: text, query: fitted, inputs })
      text = ''
    }
    text += '}'
  }
  return { computations, end: `${text}}`, verbose, isRanged }
}

/** Text before the entries of a construct. */
function headOf({ candles, age, market }: BulkSection, verbose: boolean): string {
  let head = ''
  if (verbose && market) {
    const { exchange, symbol, timeframe } = market
    head = `"_asset":${JSON.stringify({ exchange, symbol, timeframe, source: stocksSourceOf(exchange) })}`
  }
  if (typeof candles === 'string') head += `${head && ','}"_error":${JSON.stringify(candles)}`
  if (age !== undefined) head += `${head && ','}"_age":${age}`
  return head
}

/** A result as JSON text, with the convergence of its values. */
export interface FinishedResult {
  readonly text: string
  readonly settling: Settling
}

/** The same answer with some computations replaced by their finished results or refusals. */
export function withFinished(
  { computations, end, verbose }: BulkLayout,
  finished: ReadonlyMap<BulkComputation, FinishedResult | Refusal>,
): BulkLayout {
  const left: BulkComputation[] = []
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

/** Parts of a thread with which it writes computations. */
export interface ComputeContext extends Computing {
  /** Called with the error of a computation that threw. */
  readonly onBug: (error: unknown) => void
  /** Called before each computation, so that it can yield the processor. */
  readonly pause?: (() => void) | undefined
  /** Writes the values of a computation that is not refused. If it throws, nothing has been written. */
  readonly write: (computing: Computing, computation: BulkComputation, sink: JsonSink) => void
}

/** Writes the computations [from, to) with the texts before them. If one throws, only its own entry fails. */
export function writeComputations(
  context: ComputeContext,
  { computations, verbose }: Pick<BulkLayout, 'computations' | 'verbose'>,
  sink: JsonSink,
  from = 0,
  to = computations.length,
): void {
  for (let at = from; at < to; at++) {
    const computation = computations[at] as BulkComputation
    const { before, query, inputs } = computation
    const snapshot = inputs[0]
    sink.add(before)
    context.pause?.()
    const refusal = refuseShort(query, inputs, shapeOf(query).warmup)
    if (refusal) {
      sink.add(`null${envelopeEnd(verbose, refusal.error)}`)
      continue
    }
    try {
      const end = verbose ? settledEnd(settlingOf(query, snapshot), warningsOf(query, snapshot)?.fewer) : ''
      context.write(context, computation, sink)
      if (verbose) sink.add(end)
    } catch (error) {
      context.onBug(error)
      sink.add(failedResult(verbose))
    }
  }
}

/** Text of a bulk answer if no computation could be run. */
export const writeFailed = ({
  computations,
  verbose,
}: Pick<BulkLayout, 'computations' | 'verbose'>): string =>
  computations.map(({ before }) => before + failedResult(verbose)).join('')
