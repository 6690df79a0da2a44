/** A request that Candela refused, or could not serve. */
export class CandelaError extends Error {
  constructor(
    message: string,
    /** The HTTP status; 0 where there was no reply. */
    readonly status: number,
    /** Seconds after which the request may succeed, where the reply has a Retry-After. */
    readonly retryAfter?: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'CandelaError'
  }
}

/**
 * Why a streaming connection was not authenticated, by the text that the service gives. Only a key that it does not accept has
 * the status 401: others are temporary, as where connections that were lost still count.
 */
export function authenticationError(text: string): CandelaError {
  if (/^Invalid\b/.test(text)) return new CandelaError(text, 401)
  return new CandelaError(text, /^Too many\b/.test(text) ? 429 : 503)
}

/** How many constructs the plan allows, where an error is the refusal of a request that had more. */
export function allowedConstructs(error: unknown): number | undefined {
  if (!(error instanceof CandelaError) || error.status !== 429) return undefined
  const match = /Your plan allows (\d+) construct/.exec(error.message)
  return match ? Number(match[1]) : undefined
}
