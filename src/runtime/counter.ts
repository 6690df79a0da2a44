/** The labels of a count, such as `{ exchange: 'binance' }`. */
export type Labels = Readonly<Record<string, string>>

/** A count that only grows. */
export interface Counter {
  add(labels?: Labels, count?: number): void
}

/** A counter that discards what is added. */
export const noopCounter: Counter = { add() {} }
