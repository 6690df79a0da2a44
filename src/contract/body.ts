import { bodyNotObject, malformedJson, type Refusal } from './refusals.js'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The text of a body, or the refusal of bytes that are no UTF-8. */
export function readText(body: Uint8Array): string | Refusal {
  try {
    return decoder.decode(body)
  } catch {
    return malformedJson()
  }
}

/** The fields of a JSON object. */
export function readFields(text: string): Map<string, unknown> | Refusal {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return malformedJson()
  }
  return readObject(parsed)
}

/** The fields of a parsed body, or the refusal of anything but an object. */
export function readObject(parsed: unknown): Map<string, unknown> | Refusal {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return bodyNotObject()
  return new Map(Object.entries(parsed))
}
