import { z } from 'zod'
import { once } from '../runtime/once.js'
import { badMeasureName, measuresNotObject } from './breadth-refusals.js'
import { refusedBy } from './fields.js'
import { isObject, jsonText } from './json-value.js'
import { idPattern, maxExpressionLength, maxMeasures, maxNameLength } from './limits.js'
import { windowShape } from './query.js'
import type { Refusal } from './refusals.js'
import { liveScreenShape } from './requests.js'
import { expressionFieldNotText } from './screen-refusals.js'

/** What is wrong with the field `measures`: expressions by name. */
function faultOfMeasures(measures: unknown): Refusal | undefined {
  const names = isObject(measures) ? Object.keys(measures) : []
  if (!isObject(measures) || names.length === 0 || names.length > maxMeasures)
    return measuresNotObject(
      isObject(measures) ? `${names.length} expressions` : jsonText(measures),
      maxMeasures,
    )
  for (const name of names) {
    if (!idPattern.test(name) || name.length > maxNameLength) return badMeasureName(name)
    if (typeof measures[name] !== 'string') return expressionFieldNotText(`measures.${name}`, measures[name])
  }
  return undefined
}

const measuresSchema = () =>
  refusedBy(
    z
      .custom<Readonly<Record<string, string>>>(value => faultOfMeasures(value) === undefined)
      .meta({
        type: 'object',
        description:
          'Expressions by name, in which values of single markets stand within `breadth(condition)`, `count(condition)` or `total(number)`; or measures that have a name, such as `mcclellan`.',
        minProperties: 1,
        maxProperties: maxMeasures,
        propertyNames: { pattern: idPattern.source, maxLength: maxNameLength },
        additionalProperties: {
          type: 'string',
          description: 'The expression.',
          minLength: 1,
          maxLength: maxExpressionLength,
          examples: ['breadth(close > sma(200))', 'mcclellan'],
        },
      }),
    value => faultOfMeasures(value) as Refusal,
  )

/** A live breadth: its first message has the newest `results` values. */
export const liveBreadthShape = once(() => {
  const { exchange, timeframe, adjustment, symbols, quote, maxAge } = liveScreenShape()
  return {
    ...{ exchange, timeframe, adjustment, symbols, quote },
    measures: measuresSchema(),
    results: windowShape().results,
    maxAge,
  }
})

/** The body of `POST /breadth`. */
export const breadthShape = once(() => {
  const { from, to } = windowShape()
  return { ...liveBreadthShape(), from, to }
})
