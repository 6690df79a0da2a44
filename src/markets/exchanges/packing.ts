import type { Candle } from '../../candles/candle.js'
import { pieceLength, scheduler } from '../../runtime/scheduler.js'
import { type FetchFault, SourceFailure } from './source.js'

/**
 * Serialised form of an error for other threads and nodes. Structured cloning and JSON both lose the class of an
 * error.
 */
export interface PackedError {
  readonly name: string
  readonly message: string
  readonly stack?: string | undefined
  /** Code of a system error, such as ECONNREFUSED. */
  readonly code?: string | undefined
  readonly cause?: PackedError | undefined
  /** The fields of a SourceFailure. */
  readonly failure?:
    | (Pick<SourceFailure, 'kind' | 'near'> & {
        readonly isDelisted?: boolean | undefined
        readonly retryAfter?: number | undefined
        readonly fault?: FetchFault | undefined
      })
    | undefined
}

/** Maximum length of a text. ccxt's messages contain whole responses, which may have megabytes. */
const maxTextLength = 4000
/** Maximum depth of causes, because a cycle of causes has no end. */
const maxCauses = 5

const shortened = (text: string) =>
  text.length <= maxTextLength ? text : `${text.slice(0, maxTextLength)}… (${text.length} characters)`

/** Packs any thrown value. */
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

const width = 6

/** Packs candles as numbers into one buffer, which is cheaper to transfer than objects. */
export function packCandles(candles: readonly Candle[]): Float64Array<ArrayBuffer> {
  const packed = new Float64Array(candles.length * width)
  let at = 0
  for (const { timestamp, open, high, low, close, volume } of candles) {
    packed[at] = timestamp
    packed[at + 1] = open
    packed[at + 2] = high
    packed[at + 3] = low
    packed[at + 4] = close
    packed[at + 5] = volume
    at += width
  }
  return packed
}

export function unpackCandles(packed: Float64Array): Candle[] {
  const candles: Candle[] = []
  unpackInto(candles, packed, 0, packed.length / width)
  return candles
}

/** Unpacks candles a slice at a time, each in an event-loop turn that has time for it. */
export async function unpackInSlices(packed: Float64Array): Promise<Candle[]> {
  const candles: Candle[] = []
  const count = packed.length / width
  for (let from = 0; from < count; from += pieceLength) {
    await scheduler.slice('series')
    unpackInto(candles, packed, from, Math.min(count, from + pieceLength))
  }
  return candles
}

function unpackInto(candles: Candle[], packed: Float64Array, from: number, to: number): void {
  for (let at = from * width; at < to * width; at += width) {
    candles.push({
      timestamp: packed[at] as number,
      open: packed[at + 1] as number,
      high: packed[at + 2] as number,
      low: packed[at + 3] as number,
      close: packed[at + 4] as number,
      volume: packed[at + 5] as number,
    })
  }
}
