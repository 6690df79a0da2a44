export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a field counts as missing. `null` and the empty text count as missing. */
export const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === ''

/**
 * Maximum depth of a value that is written as JSON. Some engines cannot write deeper values, and other engines would
 * need long.
 */
const maxDepth = 1000

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some(inner => isDeeper(inner, depth - 1)))

/** A value as JSON, or `[…]` if the value is nested too deeply. */
export const jsonText = (value: unknown): string =>
  isDeeper(value, maxDepth) ? '[…]' : (JSON.stringify(value) ?? String(value))

/** Pattern of a text of a query string that is read as a number. */
const decimal = /^-?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?$/

/** Number or boolean of a text in a query string; other texts unchanged. */
export function typedText(text: string): number | boolean | string {
  if (decimal.test(text)) return Number(text)
  return text === 'true' || text === 'false' ? text === 'true' : text
}
