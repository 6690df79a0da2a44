/** A request that Candela refused, or could not serve. */
export class CandelaError extends Error {
  constructor(
    message: string,
    /** The HTTP status; 0 where there was no reply. */
    readonly status: number,
    /** Seconds after which the request may succeed, where the service says so. */
    readonly retryAfter?: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'CandelaError'
  }
}

/** How many constructs the plan allows, where an error says that a request had more. */
export function allowedConstructs(error: unknown): number | undefined {
  if (!(error instanceof CandelaError) || error.status !== 429) return undefined
  const match = /Your plan allows (\d+) construct/.exec(error.message)
  return match ? Number(match[1]) : undefined
}
