/** The fields of a request as texts, by name and in the order in which they were sent. */
export type TextFields = ReadonlyMap<string, string>

/**
 * The fields of a request as texts. Clients send numbers as strings, booleans as `True`, and empty values or null for
 * what they do not set: those are left out, and so are lists and objects.
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
