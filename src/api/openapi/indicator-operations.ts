import type { Description, OutputDescription, ParameterDescription } from '../../catalogue/description.js'
import { sources } from '../../catalogue/index.js'
import { array, type Json, object, ref } from './json-schema.js'
import type { IndicatorRouteId, Operation } from './operation.js'
import { backtrackSchema, marketParameters, query, readingParameters, resultsSchemaOf } from './parameters.js'
import { answered } from './responses.js'

/** The schema of a parameter's value. */
function schemaOf(parameter: ParameterDescription): Json {
  const { type, minimum, maximum, choices, follows, meaning, atMost, atLeast } = parameter
  // JSON Schema cannot express a default that depends on another field.
  const rule = follows
    ? `Default: the value of ${follows} where that is given, else ${parameter.default}.`
    : undefined
  const relation = atMost ? `At most ${atMost}.` : atLeast ? `At least ${atLeast}.` : undefined
  // A kind of moving average: TA-Lib's number, or a name.
  const value: Json =
    choices && minimum !== undefined
      ? {
          oneOf: [
            { type, minimum, maximum },
            { type: 'string', enum: choices },
          ],
        }
      : {
          type,
          ...(minimum === undefined ? {} : { minimum, maximum }),
          ...(choices ? { enum: choices } : {}),
        }
  const sentences = [meaning && `${meaning}.`, relation, rule].filter(Boolean).join(' ')
  return {
    ...value,
    ...(rule ? {} : { default: parameter.default }),
    ...(sentences ? { description: sentences } : {}),
  }
}

/** The parameters of an indicator with the schemas of their values, the source columns included. */
export function ownParameters({
  parameters,
  inputs,
  source,
  source2,
}: Description): readonly [string, Json][] {
  const column = (input: string | undefined): Json => ({
    type: 'string',
    enum: sources,
    default: input,
    description: 'The price column to calculate with.',
  })
  return [
    ...parameters.map((parameter): [string, Json] => [parameter.name, schemaOf(parameter)]),
    ...(source ? [['source', column(inputs[0])] as [string, Json]] : []),
    ...(source2 ? [['source2', column(inputs[1])] as [string, Json]] : []),
  ]
}

/** One value of an output. */
export function valueSchema({ kind, labels }: OutputDescription): Json {
  if (kind === 'names') return { type: ['string', 'null'] }
  if (kind === 'label') return { enum: [...(labels ?? []), null] }
  const type = kind === 'flag' ? 'boolean' : kind === 'signal' ? 'integer' : 'number'
  return { type: [type, 'null'] }
}

/** The result of one indicator: an array per output, and the timestamps. */
export function resultSchema({ outputs }: Description): Json {
  const columns = outputs.map((output): [string, Json] => [output.name, array(valueSchema(output))])
  return object({ ...Object.fromEntries(columns), timestamp: array({ type: 'integer' }) }, [
    ...outputs.map(output => output.name),
    'timestamp',
  ])
}

/** The responses of both routes of an indicator with status 200. */
const newestValues = (id: string, headers: readonly string[]): Json =>
  answered('The newest values.', ref('schemas', `result.${id}`), headers)

/** What the routes of `/indicator/{name}` do for one indicator. */
export const indicatorOperations: Readonly<
  Record<IndicatorRouteId, (description: Description) => Operation>
> = {
  getIndicator(description) {
    const { id, title, category, lookback, results, stability } = description
    const own = ownParameters(description).map(([name, schema]) => query(name, schema))
    return {
      id: `get_${id}`,
      tag: category,
      summary: title,
      description: `On exchange data. By default ${lookback} candles come before the first value; ${stability}.`,
      parameters: [
        ...marketParameters,
        ...own,
        results === 1 ? ref('parameters', 'results') : query('results', resultsSchemaOf(results)),
        ...readingParameters,
      ],
      responses: { 200: newestValues(id, ['Warning', 'Preference-Applied']) },
    }
  },
  postIndicator(description) {
    const { id, title, category, results } = description
    return {
      id: `post_${id}`,
      tag: category,
      summary: title,
      description: 'On supplied candles.',
      body: object(
        {
          candles: ref('schemas', 'SuppliedCandles'),
          ...Object.fromEntries(ownParameters(description)),
          results: resultsSchemaOf(results),
          backtrack: backtrackSchema,
        },
        ['candles'],
        { additionalProperties: false },
      ),
      responses: { 200: newestValues(id, []) },
    }
  },
}
