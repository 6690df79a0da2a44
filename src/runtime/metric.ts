import type { Labels } from './counter.js'
import type { Durations } from './durations.js'

interface Shown<Kind extends string, Value> {
  readonly kind: Kind
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
  /** Aggregation over several processes; default: the sum. */
  readonly aggregator?: 'sum' | 'max' | 'min'
  /** The present values with their labels. */
  read(): Iterable<readonly [labels: Labels, value: Value]>
}

/** The values under one name. */
export type Metric = Shown<'counter' | 'gauge', number> | Shown<'histogram', Durations>
