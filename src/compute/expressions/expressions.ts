import { hasCandleTimes } from '../../candles/charts/chart.js'
import { type Snapshot, timeframeOf } from '../../candles/columns.js'
import type { Timeframe } from '../../candles/timeframe.js'
import type { OtherQueries } from '../../contract/bulk.js'
import {
  chartBesideSettled,
  chartWithTimeframes,
  otherMarketsBesideChart,
  otherMarketsInBulk,
} from '../../contract/expression-refusals.js'
import {
  type Fields,
  readShape,
  refuseMissing,
  refuseUnknown,
  type ValueFormat,
} from '../../contract/fields.js'
import {
  type IndicatorSpec,
  type Query,
  readSettled,
  readWindow,
  settledAt,
  settledName,
  windowFields,
} from '../../contract/query.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { expressionShape } from '../../contract/requests.js'
import { TextCache } from '../../runtime/caches.js'
import {
  type CompiledExpression,
  compileExpression,
  compileExpressions,
  expressionName,
  hasOtherMarkets,
  isExpression,
} from './compile.js'

const maxCompiledBytes = 10_000_000
/** Maximum bytes of cached queries of bulk items, and approximate bytes per query in addition to its text. */
const maxQueryBytes = 4_000_000
const bytesPerQuery = 600

/**
 * Assumed timeframe of candles that are read later. Every other timeframe is at least as long, so no expression is
 * refused too early.
 */
const shortest: Timeframe = '1m'

/** Reads and compiles expressions, and caches them, because bots send the same ones every few seconds. */
export class Expressions implements OtherQueries {
  readonly #compiled: TextCache<CompiledExpression>
  readonly known = new TextCache<Query>({
    maxBytes: maxQueryBytes,
    bytesOf: (_, text) => text.length + bytesPerQuery,
  })

  constructor(maxBytes = maxCompiledBytes) {
    this.#compiled = new TextCache({
      maxBytes,
      bytesOf: ({ spec }, key) => key.length + spec.indicator.bytes,
    })
  }

  compile(text: string, timeframe: Timeframe | undefined): CompiledExpression | Refusal {
    return this.#find(`${timeframe ?? ''} ${text}`, () => compileExpression(text, { timeframe }))
  }

  /** Compiles several expressions into one plan. A single text named `expression` is compiled as one expression. */
  compileAll(
    texts: Readonly<Record<string, string>>,
    timeframe: Timeframe | undefined,
  ): CompiledExpression | Refusal {
    const { [expressionName]: single } = texts
    if (single !== undefined) return this.compile(single, timeframe)
    return this.#find(JSON.stringify([timeframe, texts]), () => compileExpressions(texts, { timeframe }))
  }

  #find(key: string, compile: () => CompiledExpression | Refusal): CompiledExpression | Refusal {
    const known = this.#compiled.get(key)
    if (known) return known
    const fresh = compile()
    if (!isRefusal(fresh)) this.#compiled.add(key, fresh)
    return fresh
  }

  /** Reads the field `expression` of a request about candles of a timeframe; `otherFields` are read elsewhere. */
  readSpec(
    fields: Fields,
    otherFields: readonly string[],
    timeframe: Timeframe | undefined,
  ): IndicatorSpec | Refusal {
    const given = { expression: fields.get(expressionName) }
    const text =
      refuseUnknown(fields.keys(), expressionName, [expressionName, ...otherFields]) ??
      refuseMissing(given, [expressionName]) ??
      readShape(expressionShape(), given)
    if (isRefusal(text)) return text
    const compiled = this.compile(text.expression, timeframe)
    return isRefusal(compiled) ? compiled : compiled.spec
  }

  /** Reads an expression with the window of its values that a caller requests. */
  readQuery(
    fields: Fields,
    format: ValueFormat,
    otherFields: readonly string[],
    timeframe: Timeframe | undefined,
  ): Query | Refusal {
    const spec = this.readSpec(fields, [...windowFields, settledName, ...otherFields], timeframe)
    if (isRefusal(spec)) return spec
    const window = readWindow(fields, format)
    if (isRefusal(window)) return window
    const settled = readSettled(spec, fields, format)
    if (isRefusal(settled)) return settled
    const query = { ...spec, ...window, settled }
    return refuseChart(query) ?? query
  }

  read(name: string, fields: Fields, timeframe: Timeframe | undefined): Query | Refusal | undefined {
    if (name !== expressionName) return undefined
    const query = this.readQuery(fields, 'json', [], timeframe ?? shortest)
    // Supplied candles belong to one market.
    if (isRefusal(query) || timeframe !== undefined || !hasOtherMarkets(query.indicator)) return query
    return otherMarketsInBulk()
  }

  /** Compiles an expression over supplied candles again, once the candles reveal their timeframe. */
  over(query: Query, snapshot: Snapshot): Query | Refusal {
    const { indicator, params, results, backtrack, range, settled, chart } = query
    if (!isExpression(indicator) || indicator.plan.timelines.length === 1) return query
    const compiled = this.compile(params[expressionName] as string, timeframeOf(snapshot))
    if (isRefusal(compiled)) return compiled
    const again = settled && settledAt(compiled.spec, settled.digits)
    return isRefusal(again) ? again : { ...compiled.spec, results, backtrack, range, settled: again, chart }
  }
}

/**
 * Refuses settled digits or other markets together with a chart. Also refuses other timeframes over bars that do not
 * have the times of candles.
 */
export function refuseChart({ indicator, chart, settled }: IndicatorSpec): Refusal | undefined {
  if (chart === undefined) return undefined
  if (settled) return chartBesideSettled(chart.text)
  if (hasOtherMarkets(indicator)) return otherMarketsBesideChart()
  const hasTimeframes = isExpression(indicator) && indicator.plan.timelines.length > 1
  return hasTimeframes && !hasCandleTimes(chart) ? chartWithTimeframes(chart.text) : undefined
}
