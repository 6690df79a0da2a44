import { type Candle, isEarlier } from '../candles/candle.js'

/**
 * Candles on their way from a source to the one who follows them. Of a candle that was not fetched yet the latest
 * state counts, so a slow reader misses intermediate states but no candle. An early state that comes late follows the
 * latest one, so that the reader hears of both.
 */
export class CandleChannel implements AsyncIterable<readonly Candle[]> {
  readonly #waiting = new Map<number, Candle>()
  /** States that came after later ones of the same candle. */
  readonly #late = new Map<number, Candle>()
  #end: { readonly failure: Error | undefined } | undefined
  #wake = () => {}

  push(candles: readonly Candle[]): void {
    if (this.#end) return
    for (const candle of candles) {
      const known = this.#waiting.get(candle.timestamp)
      const place = known && isEarlier(candle, known) ? this.#late : this.#waiting
      place.set(candle.timestamp, candle)
    }
    this.#wake()
  }

  /** Ends the iteration once what is on its way has been read; with a failure, by throwing it. */
  end(failure?: Error): void {
    this.#end ??= { failure }
    this.#wake()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Candle[], void, undefined> {
    for (;;) {
      if (this.#waiting.size > 0) {
        const told = [...this.#waiting.values(), ...this.#late.values()]
        const candles = told.sort((a, b) => a.timestamp - b.timestamp)
        this.#waiting.clear()
        this.#late.clear()
        yield candles
      } else if (this.#end) {
        if (this.#end.failure) throw this.#end.failure
        return
      } else {
        await new Promise<void>(resolve => {
          this.#wake = resolve
        })
      }
    }
  }
}
