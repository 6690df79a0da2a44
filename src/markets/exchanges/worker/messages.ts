import type { Timeframe } from '../../../candles/timeframe.js'
import type { PackedError } from '../packing.js'
import type { Anomaly, FetchOptions } from '../source.js'
import type { ListedSymbols } from '../symbol-cache.js'

/** A question to the source of an exchange in the thread. */
export type Question =
  | { readonly ask: 'symbols' | 'ranking' }
  | {
      readonly ask: 'candles'
      readonly symbol: string
      readonly timeframe: Timeframe
      readonly count: number
      readonly options: FetchOptions
    }
  | { readonly ask: 'stream'; readonly symbol: string; readonly timeframe: Timeframe }

/** What the event loop of the service sends to the thread. */
export type ToThread =
  | {
      readonly kind: 'question'
      readonly id: number
      readonly exchange: string
      readonly question: Question
      /** With the first question about an exchange: the symbols that an earlier process has stored. */
      readonly stored?: ListedSymbols | undefined
    }
  /** Ends the stream that question `id` has opened; a silent one has a connection that is not used again. */
  | { readonly kind: 'end-stream'; readonly id: number; readonly isSilent: boolean }
  /** Asks whether the thread still reads messages. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'close' }

/** Packed candles that another reader had requested at this time (Unix seconds). */
export interface EarlierCandles {
  readonly candles: Float64Array<ArrayBuffer>
  readonly requestedAt: number
}

/** The answer to a question: symbols unless they are those of the last answer to it, packed candles, or whether there is a stream. */
export type Answer = readonly string[] | Float64Array | EarlierCandles | boolean | undefined

/** What the thread sends to the event loop of the service. */
export type FromThread =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'failure'; readonly id: number; readonly error: PackedError }
  /** Candles of the stream that question `id` has opened. */
  | { readonly kind: 'streamed'; readonly id: number; readonly candles: Float64Array }
  | { readonly kind: 'stream-ended'; readonly id: number; readonly error: PackedError | undefined }
  /** The symbols of an exchange were fetched, and are to be stored. */
  | { readonly kind: 'store-symbols'; readonly exchange: string; readonly list: ListedSymbols }
  /** The spellings of the symbols of an exchange were fetched. */
  | {
      readonly kind: 'spellings'
      readonly exchange: string
      readonly spellings: ReadonlyMap<string, string>
    }
  | {
      readonly kind: 'anomalies'
      readonly exchange: string
      readonly anomaly: Anomaly
      readonly count: number
    }
  /** A promise was rejected that no caller waits for. */
  | { readonly kind: 'fault'; readonly error: PackedError }
  | { readonly kind: 'pong' | 'closed' }
