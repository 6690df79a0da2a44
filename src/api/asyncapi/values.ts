import type { Description } from '../../catalogue/description.js'
import { valueSchema } from '../openapi/indicator-operations.js'
import { type Json, object } from '../openapi/json-schema.js'

/** The values of one candle in an update. A single output has the name of its indicator. */
export function valuesSchema({ id, outputs }: Description): Json {
  const fields = outputs.map((output): [string, Json] => [
    outputs.length === 1 ? id : output.name,
    valueSchema(output),
  ])
  return object(
    {
      ...Object.fromEntries(fields),
      timestamp: { type: 'integer', description: 'Unix seconds of the candle open' },
    },
    [...fields.map(([name]) => name), 'timestamp'],
    { additionalProperties: false },
  )
}
