/** A JSON object as it was parsed. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a field counts as missing: `null` and the empty text are as good as not written. */
export const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Deeper values are not written: some engines cannot, and the others would take long. */
const maxDepth = 1000

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some(inner => isDeeper(inner, depth - 1)))

/** A value as JSON, or a sign in its place where it is nested too deeply to be written. */
export const jsonText = (value: unknown): string =>
  isDeeper(value, maxDepth) ? '[…]' : (JSON.stringify(value) ?? String(value))
