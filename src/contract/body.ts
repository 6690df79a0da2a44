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

/** Returns the fields of a parsed body. Refuses a body that is not a JSON object. */
export const readObject = (value: unknown): Fields | Refusal =>
  isObject(value) ? new ObjectFields(value) : bodyNotObject()

/** Yields at most `limit` fields with their names. Requests with more fields only cost time. */
export function* entriesOf(fields: Fields, limit: number): Generator<[string, unknown]> {
  let left = limit
  for (const name of fields.keys()) {
    if (left-- === 0) return
    yield [name, fields.get(name)]
  }
}

/** Returns all fields of a request. Refuses a field that is not in `accepted`. */
export const readKnown = (fields: Fields, owner: string, accepted: readonly string[]): JsonObject | Refusal =>
  refuseUnknown(fields.keys(), owner, accepted) ?? Object.fromEntries(entriesOf(fields, accepted.length))

/** Fields of an object. Does not copy them, because a body of megabytes may have hundreds of thousands of unknown fields. */
class ObjectFields implements Fields {
  readonly #object: JsonObject

  constructor(object: JsonObject) {
    this.#object = object
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#object, name)
  }

  get(name: string): unknown {
    return this.has(name) ? this.#object[name] : undefined
  }

  *keys(): MapIterator<string> {
    for (const name in this.#object) yield name
    return undefined
  }
}
