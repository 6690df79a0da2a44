import { isObject } from './json-value.js'
import { bodyNotObject, malformedJson, type Refusal } from './refusals.js'

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
export function readFields(text: string): Map<string, unknown> | Refusal {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return malformedJson()
  }
  return readObject(value)
}

/** The fields of a parsed body, which must be a JSON object. */
export const readObject = (value: unknown): Map<string, unknown> | Refusal =>
  isObject(value) ? new Map(Object.entries(value)) : bodyNotObject()
