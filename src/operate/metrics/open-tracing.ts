import type { Labels } from '../../runtime/metric.js'

/** Parts of a request's head that its span needs. */
export interface RequestHead {
  readonly method: string
  readonly path: string
  /** Value of a header field; empty if it was not sent. */
  header(name: string): string
}

/** Properties of a reply that its span records. */
export interface Reply {
  readonly route: string
  readonly account: string
  readonly status: number
}

export type Kind = 'client' | 'internal'

export interface OpenTracing {
  /** Answers a request by `work`. Records until `answered` belong to the request's trace. */
  answer<Result>(request: RequestHead, work: () => Result): Result
  answered(request: RequestHead, reply: Reply): void
  /** Records a span that ends now and lasted the given number of seconds. */
  record(name: string, kind: Kind, seconds: number, labels: Labels): void
  close(): Promise<void>
}
