/** Error of a request that Candela refused or could not serve. */
export class CandelaError extends Error {
  constructor(
    message: string,
    /** HTTP status; 0 if there was no reply. */
    readonly status: number,
    /** Seconds until the request may succeed. Present if the reply has the header `Retry-After`. */
    readonly retryAfter?: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'CandelaError'
  }
}

/**
 * Error of a streaming connection that was not authenticated, from the text of the service. Only a rejected key has the
 * status 401. Other errors are temporary, for example if lost connections still count.
 */
export function authenticationError(text: string): CandelaError {
  if (/^Invalid\b/.test(text)) return new CandelaError(text, 401)
  return new CandelaError(text, /^Too many\b/.test(text) ? 429 : 503)
}

/** Number of constructs that the plan allows, if the error refuses a request with more constructs. */
export function allowedConstructs(error: unknown): number | undefined {
  if (!(error instanceof CandelaError) || error.status !== 429) return undefined
  const match = /Your plan allows (\d+) construct/.exec(error.message)
  return match ? Number(match[1]) : undefined
}
