import type { Candle } from '../candles/candle.js'

/** Milliseconds for which queued candles may wait for others to be written with. */
const writeDelayMs = 1000
/** Series written in one transaction, and the milliseconds until the next one: in them requests are answered. */
const batch = { series: 20, pauseMs: 20 } as const

/** Candles that are to be written to the archive together, by series; the latest state of each candle. */
export class WriteQueue {
  readonly #candles = new Map<string, Map<number, Candle>>()
  readonly #write: (keys: readonly string[]) => void
  readonly #onFailure: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  /** `write` writes the queued candles of some series and removes them; where it throws, it is called again later. */
  constructor(write: (keys: readonly string[]) => void, onFailure: (error: unknown) => void) {
    this.#write = write
    this.#onFailure = onFailure
  }

  has(key: string): boolean {
    return this.#candles.has(key)
  }

  get isEmpty(): boolean {
    return this.#candles.size === 0
  }

  /** The queued candles of a series, ascending. */
  candlesOf(key: string): readonly Candle[] {
    return [...(this.#candles.get(key)?.values() ?? [])].sort((a, b) => a.timestamp - b.timestamp)
  }

  add(key: string, candles: readonly Candle[]): void {
    const queued = this.#candles.get(key) ?? new Map<number, Candle>()
    for (const candle of candles) queued.set(candle.timestamp, candle)
    if (queued.size > 0) this.#candles.set(key, queued)
  }

  remove(key: string): void {
    this.#candles.delete(key)
  }

  /** Has everything written in a second. */
  schedule(): void {
    this.#scheduleIn(writeDelayMs)
  }

  /** Writes everything at once. */
  flush(): void {
    while (!this.isEmpty) this.#write(this.#nextBatch())
  }

  /** Writes everything at once; what is added later is not written. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.flush()
  }

  #nextBatch(): string[] {
    return [...this.#candles.keys()].slice(0, batch.series)
  }

  #scheduleIn(ms: number): void {
    if (this.#isClosed) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      try {
        this.#write(this.#nextBatch())
        if (!this.isEmpty) this.#scheduleIn(batch.pauseMs)
      } catch (error) {
        this.#onFailure(error)
        this.#scheduleIn(writeDelayMs)
      }
    }, ms).unref()
  }
}
