import type { Timeframe } from '../../../candles/timeframe.js'
import type { PackedError } from '../packing.js'
import type { Anomaly, FetchOptions } from '../source.js'
import type { ListedSymbols } from '../symbol-cache.js'

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

export type ToThread =
  | {
      readonly kind: 'question'
      readonly id: number
      readonly exchange: string
      readonly question: Question
      /** Symbols stored by an earlier process. Sent with the first question about an exchange. */
      readonly stored?: ListedSymbols | undefined
    }
  /** Ends the stream of question `id`. The connection of a silent stream is not used again. */
  | { readonly kind: 'end-stream'; readonly id: number; readonly isSilent: boolean }
  /** Asks whether the thread still reads messages. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'close' }

/** Candles, with the request time (Unix seconds) if another reader requested them. */
export interface PackedCandles {
  readonly packed: Float64Array<ArrayBuffer>
  readonly requestedAt?: number | undefined
}

/**
 * Answer to a question: symbols, packed candles, or whether a stream exists. Undefined if the symbols are those of
 * the previous answer.
 */
export type Answer = readonly string[] | PackedCandles | boolean | undefined

export type FromThread =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'failure'; readonly id: number; readonly error: PackedError }
  | { readonly kind: 'streamed'; readonly id: number; readonly candles: Float64Array }
  | { readonly kind: 'stream-ended'; readonly id: number; readonly error: PackedError | undefined }
  | { readonly kind: 'store-symbols'; readonly exchange: string; readonly list: ListedSymbols }
  /** Fetched spellings of the symbols of an exchange. */
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
  /** An unhandled rejection. */
  | { readonly kind: 'fault'; readonly error: PackedError }
  | { readonly kind: 'pong' | 'closed' }
