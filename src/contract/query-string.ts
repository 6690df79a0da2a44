import { malformedQuery, type Refusal, repeatedParameter } from './refusals.js'

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
