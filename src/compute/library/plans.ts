import { hasLength, isTimeframe, type Timeframe, timeframes } from '../../candles/timeframe.js'
import { defaultsOf } from '../../catalogue/description.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import type { JsonObject } from '../../contract/json-value.js'
import { nearIndicators } from '../../contract/near-indicators.js'
import { readIndicatorSpec } from '../../contract/query.js'
import { invalidTimeframe, isRefusal, unknownIndicator } from '../../contract/refusals.js'
import { compileExpression } from '../expressions/compile.js'
import { operationCodes, type Plan, type PlanNode } from '../expressions/plan.js'
import { type Calculation, shapeOf } from '../kernels/shape.js'

// Hosts of the kernels in other languages run this file as a script, in any engine of JavaScript. Each function returns
// JSON; a refusal is an object with `error`. docs/kernels.md describes both.

/** The calculation of an indicator with parameters, which are the JSON of an object. */
export function indicator(name: string, params = '{}'): string {
  const entry = catalogue.get(name)
  if (!entry) return JSON.stringify(unknownIndicator(name, nearIndicators(name)))
  const fields = new Map(Object.entries(JSON.parse(params) as JsonObject))
  const spec = readIndicatorSpec(entry, fields, 'json')
  return JSON.stringify(isRefusal(spec) ? spec : calculationJson(spec))
}

/** The plan of an expression. Without a timeframe, the expression may not choose others. */
export function expression(text: string, timeframe?: string): string {
  if (timeframe !== undefined && !isTimeframe(timeframe))
    return JSON.stringify(invalidTimeframe(timeframe, Object.keys(timeframes)))
  const compiled = compileExpression(text, { timeframe })
  if (isRefusal(compiled)) return JSON.stringify(compiled)
  const { plan } = compiled.spec.indicator
  return JSON.stringify({
    outputs: compiled.outputs.map(({ name, type }, k) => ({ name, type, node: plan.roots[k] })),
    depth: compiled.depth,
    nodes: plan.nodes.map((node, k) => nodeJson(node, plan, k)),
    timelines: plan.timelines,
    markets: plan.markets,
  })
}

/** The timeframe of candles of which the nearest two open `seconds` after each other; null if there is none. */
export const timeframe = (seconds: number): string =>
  JSON.stringify((Object.keys(timeframes) as Timeframe[]).find(each => hasLength(each, seconds)) ?? null)

/** Facts of all indicators, by name. The numbers of a calculation are those of the default parameters. */
export const definitions = (): string =>
  JSON.stringify(Object.fromEntries([...catalogue].map(([name, entry]) => [name, definitionJson(entry)])))

function definitionJson(entry: Entry) {
  const { title, category, sources, params, relations } = entry
  const { name, ...calculation } = calculationJson({ indicator: entry, params: defaultsOf(entry) })
  return { title, category, sources, parameters: params, relations, ...calculation }
}

function calculationJson(calculation: Calculation) {
  const { name, kernel, columns, scratch, outputs } = calculation.indicator
  const { inputs, params, lookback, warmup, stateLength } = shapeOf(calculation)
  return {
    ...{ name, kernel, inputs, params, lookback, warmup, state: stateLength, scratch, columns },
    outputs: outputs.map(output => ({
      ...output,
      lookback: output.lookback?.(calculation.params) ?? lookback,
    })),
  }
}

function nodeJson(node: PlanNode, { state }: Plan, k: number) {
  const common = { ...node, history: state.histories[k] as number }
  if (node.kind === 'constant') return { ...common, value: numberJson(node.value) }
  if (node.kind === 'pointwise') return { ...common, code: operationCodes[node.operation] }
  if (node.kind !== 'calculation') return common
  const { inputs, outputs, warmup, ...calculation } = calculationJson(node)
  const { indicator, ...rest } = common as typeof common & { indicator: Entry }
  return { ...rest, ...calculation }
}

/** A number, or its text if JSON has no such number. */
const numberJson = (value: number): number | string =>
  Object.is(value, -0) ? '-0' : Number.isFinite(value) ? value : String(value)
