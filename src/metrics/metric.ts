import type { Labels } from './counter.js'

/** What is shown under one name. */
export interface Metric {
  readonly kind: 'counter' | 'gauge'
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
  /** What several processes show together; default: the sum. */
  readonly aggregator?: 'sum' | 'max' | 'min'
  /** The present values with their labels. */
  read(): Iterable<readonly [labels: Labels, value: number]>
}
