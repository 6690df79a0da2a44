/** The labels of a count, such as `{ exchange: 'binance' }`. */
export type Labels = Readonly<Record<string, string>>

/** A count that only grows. */
export interface Counter {
  add(labels?: Labels, count?: number): void
}

export const noopCounter: Counter = { add() {} }

/** The bounds of the buckets in seconds: from the duration of a GET to that of clients' waits. */
export const durationBounds: readonly number[] = [
  0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
]

/** Frequencies of durations: plain numbers, which become a histogram when shown. */
export class Durations {
  /** Counts of each bucket, excluding smaller ones; the last one has no upper bound. */
  readonly counts = new Float64Array(durationBounds.length + 1)
  seconds = 0

  add(seconds: number): void {
    let bucket = 0
    while (seconds > (durationBounds[bucket] as number)) bucket++
    this.counts[bucket] = (this.counts[bucket] as number) + 1
    this.seconds += seconds
  }
}

/** Durations for each combination of labels. */
export interface Histogram {
  add(seconds: number, labels?: Labels): void
}

interface Shown<Kind extends string, Value> {
  readonly kind: Kind
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
  /** The present values with their labels. */
  read(): Iterable<readonly [labels: Labels, value: Value]>
}

/** The values under one name. */
export type Metric = Shown<'counter' | 'gauge', number> | Shown<'histogram', Durations>
