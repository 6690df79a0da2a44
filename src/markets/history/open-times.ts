import type { Gap } from '../../candles/gaps.js'
import { endOf, openOf, type Timeframe, timeframes } from '../../candles/timeframe.js'

/** Candles of which each opens when the one before it ends. */
interface Run {
  /** When the first one and the last one open, in Unix seconds. */
  readonly first: number
  last: number
  count: number
}

/** A gap, and how many candles are newer. */
export interface CountedGap extends Gap {
  readonly newer: number
}

/** When candles of a timeframe open, ascending: of millions of candles, in as much memory as they have gaps. */
export class OpenTimes {
  readonly #timeframe: Timeframe
  readonly #runs: Run[] = []
  #count = 0

  constructor(timeframe: Timeframe) {
    this.#timeframe = timeframe
  }

  get length(): number {
    return this.#count
  }

  /** In Unix seconds. */
  get newest(): number | undefined {
    return this.#runs.at(-1)?.last
  }

  push(time: number): void {
    const run = this.#runs.at(-1)
    this.#count++
    if (!run || time !== endOf(this.#timeframe, run.last))
      this.#runs.push({ first: time, last: time, count: 1 })
    else {
      run.last = time
      run.count++
    }
  }

  /** Removes the newest ones that open at `from` or later, at most so many. How many these are, and when the oldest of them opens. */
  take(from: number, most: number): { readonly count: number; readonly oldest: number | undefined } {
    const length = this.#timeframe === '1M' ? undefined : timeframes[this.#timeframe]
    let count = 0
    let oldest: number | undefined
    for (let run = this.#runs.at(-1); run && run.last >= from && count < most; run = this.#runs.at(-1)) {
      const isWhole = run.first >= from && run.count <= most - count
      const part =
        length === undefined ? 1 : Math.min(most - count, Math.floor((run.last - from) / length) + 1)
      const taken = isWhole ? run.count : part
      oldest = isWhole ? run.first : run.last - (taken - 1) * (length ?? 0)
      count += taken
      run.count -= taken
      run.last = length === undefined ? Math.max(run.first, openOf('1M', oldest - 1)) : oldest - length
      if (run.count === 0) this.#runs.pop()
    }
    this.#count -= count
    return { count, oldest }
  }

  /** The gaps between them, the newest first. */
  *gaps(): Generator<CountedGap> {
    let newer = 0
    for (let k = this.#runs.length - 1; k > 0; k--) {
      const [before, after] = [this.#runs[k - 1], this.#runs[k]] as [Run, Run]
      newer += after.count
      const from = endOf(this.#timeframe, before.last)
      if (after.first > from) yield { from, to: after.first, newer }
    }
  }

  clear(): void {
    this.#runs.length = 0
    this.#count = 0
  }
}
