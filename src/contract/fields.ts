import { z } from 'zod'
import { once } from '../runtime/once.js'
import { isAbsent, isObject, type JsonObject, jsonText, typedText } from './json-value.js'
import {
  bodyNotObject,
  expected,
  invalidValue,
  isRefusal,
  malformedJson,
  malformedQuery,
  missingRequired,
  type Refusal,
  repeatedParameter,
  unknownParameter,
} from './refusals.js'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Returns the text of a body. Refuses bytes that are not UTF-8. */
export function readText(body: Uint8Array): string | Refusal {
  try {
    return decoder.decode(body)
  } catch {
    return malformedJson()
  }
}

/** Parses a text as a JSON object and returns its fields. */
export function readFields(text: string): Fields | Refusal {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return malformedJson()
  }
  return readObject(value)
}

/** Parses a body as a JSON object and returns its fields. */
export function readBodyFields(body: Uint8Array): Fields | Refusal {
  const text = readText(body)
  return isRefusal(text) ? text : readFields(text)
}

/** Maximum number of fields that are read. No request accepts as many, so at least one of them is refused. */
const maxFields = 100

/** Fields of an object. A body of megabytes may have hundreds of thousands of unknown ones. */
export function fieldsOf(object: JsonObject): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const name in object) {
    if (fields.size === maxFields) break
    fields.set(name, object[name])
  }
  return fields
}

/** Returns the fields of a parsed body. Refuses a body that is not a JSON object. */
export const readObject = (value: unknown): Fields | Refusal =>
  isObject(value) ? fieldsOf(value) : bodyNotObject()

/** Returns all fields of a request. Refuses a field that is not in `accepted`. */
export const readKnown = (fields: Fields, owner: string, accepted: readonly string[]): JsonObject | Refusal =>
  refuseUnknown(fields.keys(), owner, accepted) ?? Object.fromEntries(fields)

/** Reads a query string (without the question mark) into fields. Refuses a repeated name. */
export function readQueryString(queryString: string): Map<string, string> | Refusal {
  const fields = new Map<string, string>()
  const isPlain = !queryString.includes('%') && !queryString.includes('+')
  const { length } = queryString
  // Does not use `split`, because its arrays cost more than all the rest.
  for (let start = 0, end = 0; start < length; start = end + 1) {
    const next = queryString.indexOf('&', start)
    end = next < 0 ? length : next
    if (end === start) continue
    const equals = queryString.indexOf('=', start)
    const cut = equals < 0 || equals > end ? end : equals
    const [rawName, rawValue] = [queryString.slice(start, cut), queryString.slice(cut + 1, end)]
    const name = isPlain ? rawName : decode(rawName)
    const value = isPlain ? rawValue : decode(rawValue)
    if (name === undefined || value === undefined) return malformedQuery()
    if (fields.has(name)) return repeatedParameter(name.slice(0, 60))
    fields.set(name, value)
  }
  return fields
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** Fields of a request as texts, by name, in the order in which they were sent. */
export type TextFields = ReadonlyMap<string, string>

/**
 * Converts the fields of a request to texts. Some clients send numbers as strings and booleans as `True`. Omits null,
 * empty texts, lists and objects.
 */
export function toTextFields(fields: Iterable<readonly [string, unknown]>): TextFields {
  const texts = new Map<string, string>()
  for (const [name, value] of fields) {
    if (value === null || value === undefined || value === '' || typeof value === 'object') continue
    const text = String(value).trim()
    texts.set(name, /^(true|false)$/i.test(text) ? text.toLowerCase() : text)
  }
  return texts
}

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
  const typed = format === 'text' ? typedText(value as string) : value
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

export function refuseUnknown(
  names: Iterable<string>,
  owner: string,
  accepted: readonly string[],
): Refusal | undefined {
  for (const name of names)
    if (!accepted.includes(name)) return unknownParameter(name.slice(0, 60), owner, accepted)
  return undefined
}

/** Reads a JSON body by a shape. Refuses the first unknown field, then missing `needed` ones, then the first wrong value. */
export function readBody<S extends Shape>(
  body: Uint8Array,
  owner: string,
  shape: S,
  needed: readonly string[] = [],
): ValuesOf<S> | Refusal {
  const fields = readBodyFields(body)
  const given = isRefusal(fields) ? fields : readKnown(fields, owner, Object.keys(shape))
  if (isRefusal(given)) return given
  return refuseMissing(given, needed) ?? (readShape(shape, given) as ValuesOf<S> | Refusal)
}

/** Reads a query string by a shape. Refuses the first unknown field, then the first wrong value in the order of `names`. */
export function readQueryFields<S extends Shape>(
  queryString: string,
  owner: string,
  shape: S,
  names: readonly (keyof S & string)[] = Object.keys(shape),
): ValuesOf<S> | Refusal {
  const fields = readQueryString(queryString)
  if (isRefusal(fields)) return fields
  const unknown = refuseUnknown(fields.keys(), owner, Object.keys(shape))
  return unknown ?? (readShape(shape, Object.fromEntries(fields), names, 'text') as ValuesOf<S> | Refusal)
}
