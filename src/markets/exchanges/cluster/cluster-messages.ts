import { z } from 'zod'
import type { Candle } from '../../../candles/candle.js'
import type { FetchOutcome } from '../../../contract/storage/cluster.js'
import { packCandles, unpackCandles } from '../packed-candles.js'
import { type PackedError, packError, unpackError } from '../packed-error.js'
import { failureReasons, SourceFailure } from '../source.js'

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

const packedError: z.ZodType<PackedError> = z.object({
  name: z.string(),
  message: z.string(),
  stack: z.string().optional(),
  code: z.string().optional(),
  cause: z.lazy(() => packedError).optional(),
  failure: z
    .object({
      kind: z.enum(['unknown-symbol', 'no-series', 'unavailable']),
      retryAfter: z.number().optional(),
      near: z.array(z.string()),
      isDelisted: z.boolean().optional(),
      fault: z.object({ reason: z.enum(failureReasons), status: z.number(), code: z.string() }).optional(),
    })
    .optional(),
})

export const encodeFailure = (failure: SourceFailure): Uint8Array =>
  Buffer.from(JSON.stringify(packError(failure)))

/** What another node has fetched, or why it could not. Throws where it cannot be read. */
export function decodeOutcome({ bytes, isFailure }: FetchOutcome): Candle[] | SourceFailure {
  if (!isFailure) return decodeCandles(bytes)
  const failure = unpackError(packedError.parse(JSON.parse(Buffer.from(bytes).toString())))
  if (failure instanceof SourceFailure) return failure
  throw new Error('an error of another node that is no failure of an exchange', { cause: failure })
}
