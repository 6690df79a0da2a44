import { z } from 'zod'
import { formatCount } from '../src/candles/format-count.js'
import { type Description, describe, type OutputDescription } from '../src/catalogue/description.js'
import { catalogue, type Entry } from '../src/catalogue/index.js'
import { named, type Shape } from '../src/contract/fields.js'
import { type AcceptedValues, parametersOf, windowFieldsOf, windowShape } from '../src/contract/query.js'
import type { RouteDescription } from '../src/http/route.js'

/**
 * Schema of the values of a parameter. Requests are read by `readParameter`, which accepts the same values in a tenth
 * of the time.
 */
export function parameterSchema(param: AcceptedValues): z.ZodType {
  switch (param.kind) {
    case 'integer':
      return z.int().min(param.min).max(param.max)
    case 'number':
      return z.number().min(param.min).max(param.max)
    case 'average':
      return z.xor([z.int().min(param.min).max(param.max), z.enum(param.of)])
    case 'choice':
      return z.enum(param.of)
    case 'flag':
      return z.boolean()
    case 'constant':
      return z.literal(param.value)
  }
}

/** The parameters of an indicator, the source columns included; none is required. */
export function parameterShape({ id, parameters, inputs }: Description): Shape {
  const described = new Map(parameters.map(parameter => [parameter.name, parameter]))
  const shape: Record<string, z.ZodType> = {}
  for (const [name, accepted] of parametersOf(catalogue.get(id) as Entry)) {
    const schema = parameterSchema(accepted)
    const parameter = described.get(name)
    const follows = parameter?.follows
    const sentences = parameter
      ? [
          parameter.meaning && `${parameter.meaning}.`,
          parameter.atMost
            ? `At most ${parameter.atMost}.`
            : parameter.atLeast && `At least ${parameter.atLeast}.`,
          // JSON Schema cannot express a default that depends on another field.
          follows && `Default: the value of ${follows} where that is given, else ${parameter.default}.`,
        ]
      : ['The price column to calculate with.']
    const description = sentences.filter(Boolean).join(' ')
    const byDefault = parameter ? parameter.default : inputs[name === 'source' ? 0 : 1]
    const field = follows === undefined ? schema.prefault(byDefault) : schema.optional()
    shape[name] = description === '' ? field : field.describe(description)
  }
  return shape
}

/** One value of an output. */
export function valueSchema({ kind, labels = [] }: OutputDescription): z.ZodType {
  if (kind === 'names') return z.string().nullable()
  if (kind === 'label') return z.literal([...labels, null])
  return (kind === 'flag' ? z.boolean() : kind === 'signal' ? z.int() : z.number()).nullable()
}

/** The result of one indicator: an array per output, and the timestamps. */
const resultSchema = ({ outputs }: Description): z.ZodType =>
  z.object({
    ...Object.fromEntries(outputs.map(output => [output.name, z.array(valueSchema(output))])),
    timestamp: z.array(z.int()),
  })
const resultName = ({ id }: Description): string => `result.${id}`
/** Schemas of results by their names. */
export const resultSchemas: ReadonlyMap<string, () => z.ZodType> = new Map(
  [...catalogue.values()]
    .map(describe)
    .map(each => [resultName(each), named(resultName(each), () => resultSchema(each))]),
)

/** The field `results` of an indicator that returns `byDefault` values by default. */
function resultsField(byDefault: number): z.ZodType {
  const { results } = windowShape()
  return byDefault === 1
    ? results
    : results
        .unwrap()
        .optional()
        .describe(
          `${results.description} Default: ${byDefault} with the default parameters, on which it depends.`,
        )
}

/** The fields of a shape, of which an indicator takes the window that its parameters leave, and its parameters first. */
function ownFields(shape: Shape, first: readonly string[], indicator: Description): Shape {
  const window = windowFieldsOf(Object.keys((catalogue.get(indicator.id) as Entry).params))
  const kept = Object.keys(shape).filter(name => !(name in windowShape()) || window.includes(name as never))
  const { results, ...more } = Object.fromEntries(kept.map(name => [name, shape[name] as z.ZodType]))
  const before = first.map(name => [name, more[name] as z.ZodType])
  const own = { ...Object.fromEntries(before), ...parameterShape(indicator) }
  return { ...own, ...(results && { results: resultsField(indicator.results) }), ...more, ...own }
}

/** The description of a route of `/indicator/{name}` for one indicator. */
export function describeIndicatorRoute(route: RouteDescription, indicator: Description): RouteDescription {
  const { id, title, category, lookback, stability } = indicator
  const own = {
    ...route,
    id: `${route.id}_${id}`,
    tag: category,
    summary: title,
    replies: { 200: { ...route.replies[200], schema: resultName(indicator) } },
  } as RouteDescription
  if (route.body) {
    const { shape } = route.body as z.ZodObject
    return { ...own, body: z.strictObject(ownFields(shape as Shape, ['candles'], indicator)) }
  }
  return {
    ...own,
    description: `${route.description} By default the first value comes after ${formatCount(lookback, 'candle')}; ${stability}.`,
    query: ownFields(route.query as Shape, ['exchange', 'symbol', 'timeframe', 'adjustment'], indicator),
  }
}
