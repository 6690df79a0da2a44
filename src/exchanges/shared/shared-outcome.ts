import type { Candle } from '../../candles/candle.js'
import { columnNames } from '../../candles/columns.js'
import { SourceFailure } from '../source.js'

/** Candles as nodes send them to each other: six numbers each, so that all nodes have the same bits. */
export function encodeCandles(candles: readonly Candle[]): Uint8Array {
  const numbers = new Float64Array(candles.length * columnNames.length)
  let at = 0
  for (const candle of candles) for (const column of columnNames) numbers[at++] = candle[column]
  return new Uint8Array(numbers.buffer)
}

export function decodeCandles(bytes: Uint8Array): Candle[] {
  // A copy, because f64 must lie at multiples of 8.
  const numbers = new Float64Array(new Uint8Array(bytes).buffer)
  return Array.from({ length: numbers.length / columnNames.length }, (_, i) => {
    const value = (column: number) => numbers[i * columnNames.length + column] as number
    return {
      timestamp: value(0),
      open: value(1),
      high: value(2),
      low: value(3),
      close: value(4),
      volume: value(5),
    }
  })
}

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
