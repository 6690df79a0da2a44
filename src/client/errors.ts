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
