import { type Candle, packCandles } from '../../../candles/candle.js'
import type { Timeframe } from '../../../candles/timeframe.js'
import { noVolumes } from '../../../contract/screen-refusals.js'
import { packError } from '../packing.js'
import { type Anomaly, type Source, SourceFailure } from '../source.js'
import type { SourceFactory } from '../source-factory.js'
import type { Answer, FromThread, ToThread } from './messages.js'

/** Sends a message to the service's event loop. The buffers of `transfer` are moved instead of copied. */
export type Post = (message: FromThread, transfer?: readonly ArrayBuffer[]) => void

/** An exchange, with the symbol lists last sent to the service. */
interface HostedExchange {
  readonly source: Source
  symbols?: readonly string[]
  ranking?: readonly string[]
}

type AskedQuestion = ToThread & { readonly kind: 'question' }

/** Symbols of an exchange by their volume. Fails if the exchange reports no volumes. */
function rankingOf(source: Source, exchange: string): ReturnType<NonNullable<Source['ranking']>> {
  if (source.ranking) return source.ranking()
  throw new SourceFailure('no-series', noVolumes(exchange).error)
}

/** Answers the service's questions to exchanges. Runs in the exchange thread, or in the process that has it. */
export class SourceHost {
  readonly #exchanges = new Map<string, HostedExchange>()
  readonly #streams = new Map<number, AbortController>()
  /** Unsent anomalies. */
  readonly #anomalies: { exchange: string; anomaly: Anomaly; count: number }[] = []

  constructor(
    private readonly create: SourceFactory,
    private readonly post: Post,
  ) {}

  receive(message: ToThread): void {
    if (message.kind === 'question') void this.#reply(message)
    else if (message.kind === 'end-stream') this.#endStream(message)
    else if (message.kind === 'ping') this.post({ kind: 'pong' })
    else void this.#close()
  }

  /** The exchange of a question. The first question creates it. */
  #open({ exchange, stored }: ToThread & { kind: 'question' }): HostedExchange {
    const known = this.#exchanges.get(exchange)
    if (known) return known
    const source = this.create(exchange, {
      onAnomaly: anomaly => this.#count(exchange, anomaly),
      symbolCache: {
        get: () => stored,
        set: (_, list) => this.post({ kind: 'store-symbols', exchange, list }),
      },
      onSpellings: spellings => this.post({ kind: 'spellings', exchange, spellings }),
    })
    const opened: HostedExchange = { source }
    this.#exchanges.set(exchange, opened)
    return opened
  }

  async #reply(message: ToThread & { kind: 'question' }): Promise<void> {
    const { id } = message
    try {
      const answer = await this.#answer(message, this.#open(message))
      const transfer = typeof answer === 'object' && 'packed' in answer ? [answer.packed.buffer] : []
      this.post({ kind: 'answer', id, answer }, transfer)
    } catch (error) {
      this.post({ kind: 'failure', id, error: packError(error) })
    }
  }

  async #answer({ id, exchange, question }: AskedQuestion, opened: HostedExchange): Promise<Answer> {
    const { source } = opened
    switch (question.ask) {
      case 'symbols':
      case 'ranking': {
        const list = await (question.ask === 'symbols' ? source.symbols() : rankingOf(source, exchange))
        if (list === opened[question.ask]) return undefined
        opened[question.ask] = list
        return list
      }
      case 'stream':
        return this.#stream(id, source, question.symbol, question.timeframe)
      case 'candles': {
        const { symbol, timeframe, count, options } = question
        const fetched = await source.candles(symbol, timeframe, count, options)
        return { packed: packCandles(fetched), requestedAt: fetched.requestedAt }
      }
    }
  }

  /** Opens a stream, whose candles are sent until it ends. False if the exchange has no such stream. */
  async #stream(id: number, source: Source, symbol: string, timeframe: Timeframe): Promise<boolean> {
    const controller = new AbortController()
    this.#streams.set(id, controller)
    try {
      const candles = await source.watch?.(symbol, timeframe, controller.signal)
      if (candles === undefined) this.#streams.delete(id)
      else void this.#pump(id, candles)
      return candles !== undefined
    } catch (error) {
      this.#streams.delete(id)
      throw error
    }
  }

  async #pump(id: number, stream: AsyncIterable<readonly Candle[]>): Promise<void> {
    let failure: unknown
    try {
      for await (const candles of stream) {
        if (!this.#streams.has(id)) return
        this.post({ kind: 'streamed', id, candles: packCandles(candles) })
      }
    } catch (error) {
      failure = error
    }
    if (!this.#streams.delete(id)) return
    this.post({ kind: 'stream-ended', id, error: failure === undefined ? undefined : packError(failure) })
  }

  #endStream({ id, isSilent }: ToThread & { kind: 'end-stream' }): void {
    const controller = this.#streams.get(id)
    this.#streams.delete(id)
    controller?.abort(isSilent ? new SourceFailure('unavailable', 'the stream went silent') : undefined)
  }

  /** Counts an anomaly. A page may have a thousand anomalies, so they are sent together after the page was read. */
  #count(exchange: string, anomaly: Anomaly): void {
    if (this.#anomalies.length === 0)
      queueMicrotask(() => {
        for (const counted of this.#anomalies.splice(0)) this.post({ kind: 'anomalies', ...counted })
      })
    const known = this.#anomalies.find(each => each.exchange === exchange && each.anomaly === anomaly)
    if (known) known.count++
    else this.#anomalies.push({ exchange, anomaly, count: 1 })
  }

  /** Ends all streams and sends nothing more of them. */
  endStreams(): void {
    const open = [...this.#streams.values()]
    this.#streams.clear()
    for (const controller of open) controller.abort()
  }

  async #close(): Promise<void> {
    const sources = [...this.#exchanges.values()].map(({ source }) => source)
    await Promise.allSettled(sources.map(source => source.close?.()))
    this.post({ kind: 'closed' })
  }
}
