import type { Candle } from '../../candles/candle.js'
import type { Timeframe } from '../../candles/timeframe.js'
import { unpackInTurns } from '../packed-candles.js'
import type { FetchOptions, Source } from '../source.js'
import type { ExchangeThread } from './exchange-thread.js'

/** An exchange whose source is in the thread of the exchanges. */
export class RemoteSource implements Source {
  #symbols: readonly string[] = []

  constructor(
    protected readonly thread: ExchangeThread,
    protected readonly exchange: string,
  ) {}

  async symbols(): Promise<readonly string[]> {
    const symbols = (await this.thread.ask(this.exchange, { ask: 'symbols' })) as
      | readonly string[]
      | undefined
    if (symbols) this.#symbols = Object.freeze(symbols)
    return this.#symbols
  }

  async candles(
    symbol: string,
    timeframe: Timeframe,
    count: number,
    options: FetchOptions = {},
  ): Promise<readonly Candle[]> {
    const question = { ask: 'candles', symbol, timeframe, count, options } as const
    return unpackInTurns((await this.thread.ask(this.exchange, question)) as Float64Array)
  }

  watch(
    symbol: string,
    timeframe: Timeframe,
    signal: AbortSignal,
  ): Promise<AsyncIterable<readonly Candle[]> | undefined> {
    return this.thread.watch(this.exchange, { ask: 'stream', symbol, timeframe }, signal)
  }
}

/** The same for an exchange whose symbols callers may write in another spelling. */
export class RemoteSpellingSource extends RemoteSource {
  constructor(
    thread: ExchangeThread,
    exchange: string,
    readonly freshSeconds: number,
  ) {
    super(thread, exchange)
  }

  listedSymbol(symbol: string): string | undefined {
    return this.thread.spellingsOf(this.exchange)?.get(symbol)
  }

  async loadSymbols(): Promise<void> {
    await this.thread.ask(this.exchange, { ask: 'spellings' }).catch(() => undefined)
  }
}
