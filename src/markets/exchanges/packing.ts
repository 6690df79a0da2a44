import { z } from 'zod'
import { type Candle, packedWidth, unpackCandles } from '../../candles/candle.js'
import { pieceLength, scheduler } from '../../runtime/scheduler.js'
import { type FailureReason, failureTexts, SourceFailure } from './source.js'

const reasons = Object.keys(failureTexts) as FailureReason[]

/**
 * Serialised form of an error for other threads and nodes. Structured cloning and JSON both lose the class of an
 * error.
 */
export const packedError = z.object({
  name: z.string(),
  message: z.string(),
  stack: z.string().optional(),
  /** Code of a system error, such as ECONNREFUSED. */
  code: z.string().optional(),
  get cause() {
    return packedError.optional()
  },
  /** The fields of a SourceFailure. */
  failure: z
    .object({
      kind: z.enum(['unknown-symbol', 'no-series', 'unavailable']),
      retryAfter: z.number().optional(),
      near: z.array(z.string()).readonly(),
      isDelisted: z.boolean().optional(),
      fault: z.object({ reason: z.enum(reasons), status: z.number(), code: z.string() }).optional(),
    })
    .optional(),
})
export type PackedError = z.output<typeof packedError>

/** Maximum length of a text. ccxt's messages contain whole responses, which may have megabytes. */
const maxTextLength = 4000
/** Maximum depth of causes, because a cycle of causes has no end. */
const maxCauses = 5

const shortened = (text: string) =>
  text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}… (${text.length} characters)`

export function packError(thrown: unknown, causes = maxCauses): PackedError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { name, message, stack, cause } = error
  const { code } = error as NodeJS.ErrnoException
  const { kind, retryAfter, near, isDelisted, fault } = error as SourceFailure
  return {
    name,
    message: shortened(message),
    stack: stack === undefined ? undefined : shortened(stack),
    code: typeof code === 'string' ? code : undefined,
    cause: cause === undefined || causes === 0 ? undefined : packError(cause, causes - 1),
    failure: error instanceof SourceFailure ? { kind, retryAfter, near, isDelisted, fault } : undefined,
  }
}

/** Restores an error. Any error but a SourceFailure becomes an Error with the original name. */
export function unpackError({ name, message, stack, code, cause, failure }: PackedError): Error {
  const options = cause === undefined ? {} : { cause: unpackError(cause) }
  const error =
    failure === undefined
      ? Object.assign(new Error(message, options), { name })
      : new SourceFailure(failure.kind, message, { ...options, ...failure })
  if (stack !== undefined) error.stack = stack
  return code === undefined ? error : Object.assign(error, { code })
}

/** Unpacks candles a slice at a time, each in an event-loop turn that has time for it. */
export async function unpackInSlices(packed: Float64Array): Promise<Candle[]> {
  const candles: Candle[] = []
  const count = packed.length / packedWidth
  for (let from = 0; from < count; from += pieceLength) {
    await scheduler.slice('series')
    for (const candle of unpackCandles(packed, from, Math.min(count, from + pieceLength)))
      candles.push(candle)
  }
  return candles
}
