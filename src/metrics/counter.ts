/** What a count is broken down by, such as `{ exchange: 'binance' }`. */
export type Labels = Readonly<Record<string, string>>

/** Something that is counted; who reads the count is no concern of those who add to it. */
export interface Counter {
  add(labels?: Labels, count?: number): void
}

/** A counter that nobody reads. */
export const noopCounter: Counter = { add() {} }
