import { type Candle, isEarlier } from '../../candles/candle.js'

/**
 * A queue of candles between a source and one reader. It keeps the latest unread state of each candle: a slow
 * reader misses intermediate states, but no candle. If an earlier state of a candle arrives after a later one, the
 * reader gets both, the later one first.
 */
export class CandleChannel implements AsyncIterable<readonly Candle[]> {
  readonly #unread = new Map<number, Candle>()
  /** States that arrived after a later state of the same candle. */
  readonly #outOfOrder = new Map<number, Candle>()
  #end: { readonly failure: Error | undefined } | undefined
  #wakeReader = () => {}
  #onEnd: (failure: Error | undefined) => void = () => {}

  push(candles: readonly Candle[]): void {
    if (this.#end) return
    for (const candle of candles) {
      const unread = this.#unread.get(candle.timestamp)
      const target = unread && isEarlier(candle, unread) ? this.#outOfOrder : this.#unread
      target.set(candle.timestamp, candle)
    }
    this.#wakeReader()
  }

  /** Ends the iteration after the unread candles. The iteration then throws `failure` if it is defined. */
  end(failure?: Error): void {
    if (this.#end) return
    this.#end = { failure }
    this.#wakeReader()
    this.#onEnd(failure)
  }

  /** Ends the iteration when `signal` aborts. Calls `onEnd` once at the end of the iteration, whatever ends it. */
  endWith(signal: AbortSignal, onEnd: (failure: Error | undefined) => void): void {
    const abort = () => this.end()
    this.#onEnd = failure => {
      signal.removeEventListener('abort', abort)
      onEnd(failure)
    }
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Candle[], void, undefined> {
    for (;;) {
      if (this.#unread.size > 0) {
        const states = [...this.#unread.values(), ...this.#outOfOrder.values()]
        const candles = states.sort((a, b) => a.timestamp - b.timestamp)
        this.#unread.clear()
        this.#outOfOrder.clear()
        yield candles
      } else if (this.#end) {
        if (this.#end.failure) throw this.#end.failure
        return
      } else {
        await new Promise<void>(resolve => {
          this.#wakeReader = resolve
        })
      }
    }
  }
}
