import { z } from 'zod'
import type { Candle } from '../../candles/candle.js'
import type { FetchOutcome } from '../../store/sharing.js'
import { packCandles, unpackCandles } from '../packed-candles.js'
import { SourceFailure } from '../source.js'

/** Candles as nodes send them to each other: six numbers each, so that all nodes have the same bits. */
export const encodeCandles = (candles: readonly Candle[]): Uint8Array =>
  new Uint8Array(packCandles(candles).buffer)

/** Throws where the bytes are no candles. They are copied, because f64 must lie at multiples of 8. */
export function decodeCandles(bytes: Uint8Array): Candle[] {
  const packed = new Float64Array(new Uint8Array(bytes).buffer)
  const candles = packed.length % 6 === 0 && packed.every(Number.isFinite) ? unpackCandles(packed) : []
  if (
    candles.length * 6 < packed.length ||
    !candles.every(({ timestamp }) => Number.isSafeInteger(timestamp))
  )
    throw new Error('bytes of another node that are no candles')
  return candles
}

const storedFailure = z.object({
  kind: z.enum(['unknown-symbol', 'unavailable']),
  message: z.string(),
  near: z.array(z.string()),
  retryAfter: z.number().optional(),
  /** What the exchange has answered, where it was the exchange that failed. */
  cause: z.string().optional(),
})
type StoredFailure = z.infer<typeof storedFailure>

export function encodeFailure({ kind, message, near, retryAfter, cause }: SourceFailure): Uint8Array {
  const stored: StoredFailure = {
    kind,
    message,
    near: [...near],
    ...(retryAfter !== undefined && { retryAfter }),
    ...(cause !== undefined && { cause: String((cause as Error).message ?? cause) }),
  }
  return Buffer.from(JSON.stringify(stored))
}

/** What another node has fetched, or why it could not. Throws where it cannot be read. */
export const decodeOutcome = ({ bytes, isFailure }: FetchOutcome): Candle[] | SourceFailure =>
  isFailure ? decodeFailure(bytes) : decodeCandles(bytes)

/** The failure of another node's request as it would have been this node's own. */
function decodeFailure(bytes: Uint8Array): SourceFailure {
  const text = Buffer.from(bytes).toString()
  const { kind, message, near, retryAfter, cause } = storedFailure.parse(JSON.parse(text))
  return new SourceFailure(kind, message, {
    near,
    retryAfter,
    ...(cause !== undefined && { cause: new Error(cause) }),
  })
}
