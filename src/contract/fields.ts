import { z } from 'zod'
import { once } from '../runtime/once.js'
import { isAbsent, type JsonObject, jsonText } from './json-value.js'
import {
  expected,
  invalidValue,
  isRefusal,
  missingRequired,
  type Refusal,
  unknownParameter,
} from './refusals.js'

/** Format of values: text in a query string, or typed values in a JSON body. */
export type ValueFormat = 'text' | 'json'

/** Unchecked fields of a request, by name. */
export type Fields = ReadonlyMap<string, unknown>

/** Schemas of the fields of a request, in the order in which the fields are checked and listed. */
export type Shape = Readonly<Record<string, z.ZodType>>

/** Parsed values of the fields of a shape. */
export type ValuesOf<S extends Shape> = { readonly [Name in keyof S]: z.output<S[Name]> }

/** Creates the refusal of a wrong value. `path` is the path to the fault within the value. */
type Refuse = (value: unknown, name: string, path: readonly PropertyKey[]) => Refusal

const refusals = z.registry<{ readonly refuse: Refuse }>()

/** Sets the refusal of values that a schema rejects, instead of `invalidValue`. */
export const refusedBy = <Schema extends z.ZodType>(schema: Schema, refuse: Refuse): Schema => {
  refusals.add(schema, { refuse })
  return schema
}

/** Names of schemas that several documents and types refer to. */
export const schemaNames = z.registry<{ readonly name: string }>()

/** Returns a function that creates a named schema at its first call. */
export const named = <Schema extends z.ZodType>(name: string, make: () => Schema): (() => Schema) =>
  once(() => {
    const schema = make()
    schemaNames.add(schema, { name })
    return schema
  })

const toGiven = (value: unknown) => (isAbsent(value) ? undefined : value)

/** Property of a schema with the range of integers that it accepts unchanged. */
const integerRange = Symbol('integers')
type WithIntegers = z.ZodType & { [integerRange]?: readonly [min: number, max: number] }

/** Sets the range of integers that a schema accepts unchanged. They are read without the schema, in a tenth of the time. */
export function takingIntegers<Schema extends z.ZodType>(
  schema: Schema & WithIntegers,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): Schema {
  schema[integerRange] = [min, max]
  return schema
}

/** Schema of an optional field. Null and the empty text count as missing. */
export const optional = <Schema extends z.ZodType>(schema: Schema) => z.preprocess(toGiven, schema.optional())

/** Schema of an optional field with a default. */
export const withDefault = <Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>) =>
  z.preprocess(toGiven, schema.prefault(value as never))

/** Schema of an array of `min` to `max` elements. Refuses a longer array without checking its elements. */
export const listOf = <Schema extends z.ZodType>(schema: Schema, min: number, max: number) =>
  z.preprocess(
    value => (Array.isArray(value) && value.length > max ? undefined : value),
    z.array(schema).min(min).max(max),
  )

/** Pattern of a text of a query string that is read as a number. */
const decimal = /^-?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?$/

type JsonSchema = z.core.JSONSchema.JSONSchema

/** Text for an error with the values that a JSON Schema accepts. */
function acceptedText({
  type,
  minimum,
  maximum,
  enum: choices,
  const: only,
  oneOf,
  maxLength,
}: JsonSchema): string {
  if (oneOf) return oneOf.map(each => acceptedText(each as JsonSchema)).join(', or ')
  if (choices) return expected.oneOf(choices as string[])
  if (only !== undefined) return String(only)
  if (type === 'integer' || type === 'number')
    return maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
      ? `${type}, ${minimum} or more`
      : expected.range(type, minimum as number, maximum)
  if (type === 'boolean') return expected.flag
  if (type === 'object') return expected.object
  return maxLength === undefined ? expected.text : expected.name
}

/** Cached error texts of schemas. Creating a text costs more than the rest of a refusal. */
const expectedTexts = new WeakMap<z.ZodType, string>()

/** Text for an error with the values that a schema accepts. */
function expectedBy(schema: z.ZodType): string {
  let text = expectedTexts.get(schema)
  if (text === undefined) {
    text = acceptedText(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
    expectedTexts.set(schema, text)
  }
  return text
}

/**
 * Reads one field by its schema. In a query string, a text is read as a number or a boolean if the schema accepts it,
 * else as a text.
 */
export function readValue<Schema extends z.ZodType>(
  name: string,
  value: unknown,
  schema: Schema,
  format: ValueFormat,
  quote: (text: string) => string = text => text,
): { readonly value: z.output<Schema> } | Refusal {
  let typed = value
  if (format === 'text') {
    if (decimal.test(value as string)) typed = Number(value)
    else if (value === 'true' || value === 'false') typed = value === 'true'
  }
  const range = (schema as WithIntegers)[integerRange]
  if (range && Number.isSafeInteger(typed) && range[0] <= (typed as number) && (typed as number) <= range[1])
    return { value: typed as z.output<Schema> }
  let parsed = schema.safeParse(typed)
  if (!parsed.success && typed !== value) parsed = schema.safeParse(value)
  if (parsed.success) return { value: parsed.data as z.output<Schema> }
  const own = refusals.get(schema)
  if (own) return own.refuse(value, name, parsed.error.issues[0]?.path ?? [])
  return invalidValue(name, quote(format === 'text' ? String(value) : jsonText(value)), expectedBy(schema))
}

/** Reads the given fields of a shape, by default all, in order. Refuses the first wrong value. */
export function readShape<S extends Shape, Name extends keyof S & string = keyof S & string>(
  shape: S,
  fields: JsonObject,
  names: readonly Name[] = Object.keys(shape) as Name[],
  format: ValueFormat = 'json',
): Pick<ValuesOf<S>, Name> | Refusal {
  const values: Record<string, unknown> = {}
  for (const name of names) {
    const read = readValue(name, fields[name], shape[name] as z.ZodType, format)
    if (isRefusal(read)) return read
    values[name] = read.value
  }
  return values as Pick<ValuesOf<S>, Name>
}

/** Refuses a request in which some of `names` are missing. `given` returns the names of all fields of the request. */
export function refuseMissing(
  fields: JsonObject,
  names: readonly string[],
  given: () => Iterable<string> = () => Object.keys(fields),
): Refusal | undefined {
  const missing = names.filter(name => isAbsent(fields[name]))
  return missing.length === 0
    ? undefined
    : missingRequired(
        missing,
        [...given()].filter(name => !names.includes(name)),
      )
}

/** Refuses the first field that is not in `accepted`. */
export function refuseUnknown(
  names: Iterable<string>,
  owner: string,
  accepted: readonly string[],
): Refusal | undefined {
  for (const name of names)
    if (!accepted.includes(name)) return unknownParameter(name.slice(0, 60), owner, accepted)
  return undefined
}
