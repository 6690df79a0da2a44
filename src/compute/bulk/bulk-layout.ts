import type { Snapshot } from '../../candles/columns.js'
import type { BulkItem } from '../../contract/bulk.js'
import type { Market } from '../../contract/market.js'
import type { Query } from '../../contract/query.js'
import { computationFailed } from '../../contract/refusals.js'
import { refuseShort } from '../answer.js'
import type { JsonSink } from '../json/sink.js'
import type { Calculator } from '../kernels/calculator.js'
import type { KeptResults } from '../results/result-cache.js'

/** An entry of a bulk answer that must be computed. */
export interface Computation {
  readonly query: Query
  readonly snapshot: Snapshot
  /** Its calculation, where the results of that are kept. */
  kept?: KeptResults
}

/** A bulk answer before it is computed alternates between finished text and computations. */
export type Segment = string | Computation

/** One construct of a bulk answer. */
export interface BulkSection {
  readonly id: string
  readonly items: readonly BulkItem[]
  /** A text says why there are none. */
  readonly candles: Snapshot | string
  /** The market that `_asset` names; absent for supplied candles. */
  readonly market?: Market
}

/**
 * Lays out a bulk answer in the order of the request. It is written as text because objects would lose that order:
 * JavaScript moves keys that look like numbers to the front. Ids need no escapes: see `idPattern`.
 */
export function layoutBulk(sections: readonly BulkSection[], verbose: boolean): readonly Segment[] {
  const segments: Segment[] = []
  let text = '{'
  for (const [at, { id, items, candles, market }] of sections.entries()) {
    if (!verbose && typeof candles !== 'string' && text === (at === 0 ? '{' : '}')) {
      const texts = plainTexts(id, items, at === 0)
      for (const [k, { query }] of items.entries())
        segments.push(texts[k] as string, { query, snapshot: candles })
      text = '}'
      continue
    }
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

/** The texts before the results of a construct, with the first characters of all. */
interface KnownTexts {
  readonly start: string
  readonly texts: readonly string[]
}

const knownTexts = new WeakMap<readonly BulkItem[], KnownTexts>()

/**
 * The texts before the results of a construct, with the end of the construct before it. They are the same for each request
 * with one body. Using the same ones saves copying them together again each time.
 */
function plainTexts(id: string, items: readonly BulkItem[], isFirst: boolean): readonly string[] {
  const start = `${isFirst ? '{' : '},'}"${id}":{`
  let known = knownTexts.get(items)
  if (known?.start !== start) {
    known = { start, texts: items.map((item, k) => `${k === 0 ? start : ','}"${item.id}":`) }
    knownTexts.set(items, known)
  }
  return known.texts
}

/** The verbose envelope of an entry, up to its result. */
const envelopeStart = ({ indicator, params, source, source2 }: Query): string =>
  `{"indicator":"${indicator.name}","params":${JSON.stringify({ ...params, source, source2 })},"result":`

/** What follows the result of an entry: nothing, or the end of the verbose envelope with its error. */
const envelopeEnd = (verbose: boolean, error?: string): string =>
  verbose ? `,"errors":[${error === undefined ? '' : JSON.stringify(error)}]}` : ''

const failedResult = (verbose: boolean): string => `null${envelopeEnd(verbose, computationFailed())}`

/** What `writeSegments` needs of its thread. */
export interface ComputeContext {
  readonly calculator: Calculator
  /** Called with the error of a computation that threw. */
  readonly onBug: (error: unknown) => void
  /** Called before each computation, so that it can yield the processor. */
  readonly pause?: (() => void) | undefined
  /** Writes the values of a computation that is not refused. What it throws, it throws before it writes. */
  readonly writeValues: (computation: Computation, sink: JsonSink) => void
}

/** Computes the segments and writes them. Where a computation throws, only its own entry fails. */
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
    const refusal = refuseShort(segment.query, segment.snapshot, segment.kept?.results.warmup)
    if (refusal) sink.add(`null${envelopeEnd(verbose, refusal.error)}`)
    else if (tryWrite(context, segment, sink)) sink.add(envelopeEnd(verbose))
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

/** The text of an answer none of whose computations could be run. */
export const writeFailedSegments = (segments: readonly Segment[], verbose: boolean): string =>
  segments.map(segment => (typeof segment === 'string' ? segment : failedResult(verbose))).join('')
