import type { Labels } from '../../runtime/metric.js'

/** What a span of a request needs of its head. */
export interface RequestHead {
  readonly method: string
  readonly path: string
  /** Empty where it was not sent. */
  header(name: string): string
}

/** What a span of a request says of its reply. */
export interface Reply {
  readonly route: string
  readonly account: string
  readonly status: number
}

export type Kind = 'client' | 'internal'

/** Traces that are sent. */
export interface OpenTracing {
  /** Answers a request by `work`, in whose course everything happens that is recorded until `answered`. */
  answer<Result>(request: RequestHead, work: () => Result): Result
  answered(request: RequestHead, reply: Reply): void
  /** What has taken so many seconds until now. */
  record(name: string, kind: Kind, seconds: number, labels: Labels): void
  /** Sends what was recorded. */
  close(): Promise<void>
}
