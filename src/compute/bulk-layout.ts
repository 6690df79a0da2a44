import type { Snapshot } from '../candles/columns.js'
import type { BulkItem } from '../contract/bulk.js'
import type { Market } from '../contract/market.js'
import type { Query } from '../contract/query.js'
import { computationFailed, isRefusal } from '../contract/refusals.js'
import { computeResult, writeResult } from './answer.js'
import type { Calculator } from './calculator.js'
import type { CostEstimates } from './costs.js'
import type { JsonSink } from './json/sink.js'

/** A place in a bulk answer that has to be computed. */
export interface Computation {
  readonly query: Query
  readonly snapshot: Snapshot
}

/** A bulk answer before it is computed: text that is settled, and places between. */
export type Segment = string | Computation

/** A construct whose candles are there, or the text that says why they are not. */
export interface BulkSection {
  readonly id: string
  readonly items: readonly BulkItem[]
  readonly candles: Snapshot | string
  /** What `_asset` names. */
  readonly market?: Market
}

/**
 * Lays out a bulk answer in the order of the request. Objects would not do: JavaScript moves keys that look like
 * numbers to the front. Ids need no escapes, their alphabet has none.
 */
export function layoutBulk(sections: readonly BulkSection[], verbose: boolean): readonly Segment[] {
  const segments: Segment[] = []
  let text = '{'
  for (const [at, { id, items, candles, market }] of sections.entries()) {
    text += `${at === 0 ? '' : ','}"${id}":{`
    const meta: string[] = []
    if (verbose && market) {
      const { exchange, symbol, timeframe } = market
      meta.push(`"_asset":${JSON.stringify({ exchange, symbol, timeframe })}`)
    }
    if (typeof candles === 'string') meta.push(`"_error":${JSON.stringify(candles)}`)
    text += meta.join(',')
    for (const [k, item] of items.entries()) {
      text += `${k === 0 && meta.length === 0 ? '' : ','}"${item.id}":`
      if (typeof candles === 'string') {
        text += 'null'
        continue
      }
      if (verbose) text += envelopeStart(item.query)
      segments.push(text, { query: item.query, snapshot: candles })
      text = ''
    }
    text += '}'
  }
  segments.push(`${text}}`)
  return segments
}

/** The envelope of an entry, up to where its result belongs. */
const envelopeStart = ({ indicator, params, source, source2 }: Query): string =>
  `{"indicator":"${indicator.name}","params":${JSON.stringify({ ...params, source, source2 })},"result":`

/** What follows the result of an entry: nothing, or with an envelope what went wrong. */
const envelopeEnd = (verbose: boolean, error?: string): string =>
  verbose ? `,"errors":[${error === undefined ? '' : JSON.stringify(error)}]}` : ''

const failedResult = (verbose: boolean): string => `null${envelopeEnd(verbose, computationFailed())}`

/** Where `write` is done. */
export interface ComputeContext {
  readonly calculator: Calculator
  readonly costs: CostEstimates
  /** Told of computations that ended with a bug. */
  readonly onBug: (error: unknown) => void
  /** Called between computations: the moment to let others have the processor. */
  readonly pause?: (() => void) | undefined
}

/** Computes the segments and writes them. A computation that throws costs its own entry. */
export function writeSegments(
  context: ComputeContext,
  segments: readonly Segment[],
  verbose: boolean,
  sink: JsonSink,
): void {
  for (const segment of segments) {
    if (typeof segment === 'string') {
      sink.add(segment)
      continue
    }
    context.pause?.()
    const found = tryFind(context, segment)
    if (!found) sink.add(failedResult(verbose))
    else if (isRefusal(found)) sink.add(`null${envelopeEnd(verbose, found.error)}`)
    else {
      writeResult(found, sink)
      sink.add(envelopeEnd(verbose))
    }
  }
}

function tryFind({ calculator, costs, onBug }: ComputeContext, { query, snapshot }: Computation) {
  try {
    return computeResult(calculator, query, snapshot, costs)
  } catch (error) {
    onBug(error)
    return undefined
  }
}

/** The segments as text when nothing of them could be computed. */
export const writeFailedSegments = (segments: readonly Segment[], verbose: boolean): string =>
  segments.map(segment => (typeof segment === 'string' ? segment : failedResult(verbose))).join('')
