import { z } from 'zod'
import type { Description, OutputDescription } from '../../catalogue/description.js'
import { catalogue, type Entry } from '../../catalogue/index.js'
import type { Shape } from '../../contract/fields.js'
import { parametersOf, settledShape, windowFieldsOf, windowShape } from '../../contract/query.js'
import { suppliedCandles } from '../../contract/requests.js'
import { component } from './json-schema.js'
import { type IndicatorRouteId, type Operation, tableBody } from './operations.js'
import {
  formatParameter,
  marketParameters,
  preferParameter,
  queryParameters,
  resultsParameter,
  settledParameter,
  shared,
} from './parameters.js'
import { answeredAsTable, suppliedHeaders } from './responses.js'

/** The parameters of an indicator, the source columns included; none is required. */
export function parameterShape({ id, parameters, inputs }: Description): Shape {
  const described = new Map(parameters.map(parameter => [parameter.name, parameter]))
  const shape: Record<string, z.ZodType> = {}
  for (const [name, schema] of parametersOf(catalogue.get(id) as Entry)) {
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
export const resultSchema = ({ id, outputs }: Description): z.ZodType =>
  component(
    `result.${id}`,
    z.object({
      ...Object.fromEntries(outputs.map(output => [output.name, z.array(valueSchema(output))])),
      timestamp: z.array(z.int()),
    }),
  )

/** The `results` of an indicator that returns so many values by default. */
function resultsOf(byDefault: number): z.ZodType {
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

/** The fields that choose the window of an indicator's values; `results` is the first one. */
const windowNamesOf = ({ id }: Description) =>
  windowFieldsOf(Object.keys((catalogue.get(id) as Entry).params))

/** What the routes of `/indicator/{name}` do for one indicator, of whose result `result` is the schema. */
export const indicatorOperations: Readonly<
  Record<IndicatorRouteId, (description: Description, result: z.ZodType) => Operation>
> = {
  getIndicator(description, result) {
    const { id, title, category, lookback, results, stability } = description
    return {
      id: `get_${id}`,
      tag: category,
      summary: title,
      description: `On exchange data. By default ${lookback} candles come before the first value; ${stability}.`,
      parameters: [
        ...marketParameters,
        ...queryParameters(parameterShape(description)),
        ...(results === 1 ? [resultsParameter] : queryParameters({ results: resultsOf(results) })),
        ...windowNamesOf(description).slice(1).map(shared),
        settledParameter,
        shared('asOf'),
        shared('maxAge'),
        formatParameter,
        preferParameter,
      ],
      responses: {
        200: answeredAsTable('The newest values.', result, [
          'Warning',
          'Age',
          'Preference-Applied',
          'Settled-Digits',
        ]),
      },
    }
  },
  postIndicator(description, result) {
    const { id, title, category, results } = description
    return {
      id: `post_${id}`,
      tag: category,
      summary: title,
      description: `On supplied candles. ${tableBody}`,
      parameters: [formatParameter],
      body: z.strictObject({
        candles: suppliedCandles(),
        ...parameterShape(description),
        ...Object.fromEntries(windowNamesOf(description).map(name => [name, windowShape()[name]])),
        results: resultsOf(results),
        ...settledShape(),
      }),
      takesTables: true,
      responses: { 200: answeredAsTable('The newest values.', result, suppliedHeaders) },
    }
  },
}
