import { type Fields, refuseUnknown } from './fields.js'
import { isObject, type JsonObject } from './json-value.js'
import { bodyNotObject, isRefusal, malformedJson, type Refusal } from './refusals.js'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The text of a body, or the refusal of bytes that are not UTF-8. */
export function readText(body: Uint8Array): string | Refusal {
  try {
    return decoder.decode(body)
  } catch {
    return malformedJson()
  }
}

/** The fields of the JSON object that a text holds. */
export function readFields(text: string): Fields | Refusal {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return malformedJson()
  }
  return readObject(value)
}

/** The fields of the JSON object that a body holds. */
export function readBodyFields(body: Uint8Array): Fields | Refusal {
  const text = readText(body)
  return isRefusal(text) ? text : readFields(text)
}

/** The fields of a parsed body, which must be a JSON object. */
export const readObject = (value: unknown): Fields | Refusal =>
  isObject(value) ? new ObjectFields(value) : bodyNotObject()

/** The fields with their names, at most so many: more are sent only to cost time. */
export function* entriesOf(fields: Fields, limit: number): Generator<[string, unknown]> {
  let left = limit
  for (const name of fields.keys()) {
    if (left-- === 0) return
    yield [name, fields.get(name)]
  }
}

/** All fields of a request, of which none may be another than those `accepted`. */
export const readKnown = (fields: Fields, owner: string, accepted: readonly string[]): JsonObject | Refusal =>
  refuseUnknown(fields.keys(), owner, accepted) ?? Object.fromEntries(entriesOf(fields, accepted.length))

/** The fields of an object. They are not copied: a body of megabytes may have hundreds of thousands of unknown ones. */
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
