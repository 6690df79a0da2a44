import { jsonText } from './json-value.js'

/**
 * An answer that refuses a request: by a fault of the caller (4xx), or because the service or an exchange cannot serve
 * it now (5xx). It is returned, not thrown, and its body is `{ "error": error }`.
 */
export interface Refusal {
  readonly status: number
  readonly error: string
  readonly headers?: Readonly<Record<string, string>>
  /** The end of `error` that says what would be right. */
  readonly hint?: string
}

/**
 * Whether a result of this program is a refusal. Not for values that a client sent: an object with a status and an
 * error looks like one.
 */
export const isRefusal = (result: unknown): result is Refusal =>
  typeof result === 'object' && result !== null && 'status' in result && 'error' in result

export const refusal = (
  status: number,
  error: string,
  headers?: Readonly<Record<string, string>>,
): Refusal => (headers === undefined ? { status, error } : { status, error, headers })

/** How much of a value that a client sent is repeated in an error, in characters. */
const maxQuotedLength = 200

/** A value as the client may have written it: texts as they are, everything else as JSON. */
export function quote(value: unknown): string {
  const text = typeof value === 'string' ? value : jsonText(value)
  return text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength)}…` : text
}

/** A value as JSON: a text stands in quotation marks. */
export const quoteJson = (value: unknown): string => quote(jsonText(value))

/** A refusal with status 400. Each value in its text is quoted as above. */
export const invalid = (texts: TemplateStringsArray, ...values: readonly unknown[]): Refusal =>
  refusal(400, String.raw({ raw: texts }, ...values.map(quote)))

/** The header of a refusal after which the client may try again. */
export const retryAfter = (seconds: number) => ({ 'Retry-After': String(seconds) })
