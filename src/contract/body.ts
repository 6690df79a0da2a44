import { type Fields, refuseUnknown } from './fields.js'
import { isObject, type JsonObject } from './json-value.js'
import { bodyNotObject, isRefusal, malformedJson, type Refusal } from './refusals.js'

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
