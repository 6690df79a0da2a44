import type { Candle } from '../../candles/candle.js'
import { packCandles, unpackCandles } from '../packed-candles.js'
import { SourceFailure } from '../source.js'

/** Candles as nodes send them to each other: six numbers each, so that all nodes have the same bits. */
export const encodeCandles = (candles: readonly Candle[]): Uint8Array =>
  new Uint8Array(packCandles(candles).buffer)

/** The bytes are copied, because f64 must lie at multiples of 8. */
export const decodeCandles = (bytes: Uint8Array): Candle[] =>
  unpackCandles(new Float64Array(new Uint8Array(bytes).buffer))

interface StoredFailure extends Pick<SourceFailure, 'kind' | 'message' | 'near'> {
  readonly retryAfter?: number
  /** What the exchange has answered, where it was the exchange that failed. */
  readonly cause?: string
}

export function encodeFailure({ kind, message, near, retryAfter, cause }: SourceFailure): Uint8Array {
  const stored: StoredFailure = {
    kind,
    message,
    near,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(cause !== undefined && { cause: String((cause as Error).message ?? cause) }),
  }
  return Buffer.from(JSON.stringify(stored))
}

/** The failure of another node's request as it would have been this node's own. */
export function decodeFailure(bytes: Uint8Array): SourceFailure {
  const { kind, message, near, retryAfter, cause } = JSON.parse(
    Buffer.from(bytes).toString(),
  ) as StoredFailure
  return new SourceFailure(kind, message, {
    near,
    retryAfter,
    ...(cause !== undefined && { cause: new Error(cause) }),
  })
}
