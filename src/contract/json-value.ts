/** A JSON object as it was parsed. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a field counts as missing: `null` and the empty text are as good as not written. */
export const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === ''

/** A value as JSON, or a sign in its place where it is nested too deeply to be written. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch (error) {
    if (error instanceof RangeError) return '[…]'
    throw error
  }
}
