import { BodyFragments, BufferPool } from '../../runtime/buffer-pool.js'
import { eventLoop, turnNs } from '../../runtime/event-loop.js'
import { placeOf } from '../costs.js'
import { BufferSink, StringSink, sinkBufferBytes } from '../json/sink.js'
import { type ComputeContext, type Segment, writeSegments } from './bulk-layout.js'
import type { BulkPlan } from './bulk-plan.js'

/** JSON text: as a string, or in UTF-8 as fragments that must be released. */
export type ResponseBody = string | BodyFragments

/** The connection that waits for an answer. */
export interface Caller {
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal
}

/** Longer answers are written into recycled buffers instead of being joined as a string, in bytes. */
const maxStringBytes = 65_536
/** Bytes of such answers that may be in recycled memory while clients read them. */
const maxPooledBytes = 16 * 1024 * 1024
/** The smallest buffer. The length of an answer is estimated, and a second buffer costs more than some free bytes. */
const minBufferBytes = 16_384
/** What one turn of the event loop writes of bulk answers, in estimated nanoseconds: a short request waits for no more. */
const maxTurnNs = 500_000

/** Writes bulk answers on the event loop. */
export class InlineAnswers {
  readonly #context: ComputeContext
  readonly #pool = new BufferPool(maxPooledBytes, { isShared: false })

  constructor(context: ComputeContext) {
    this.#context = context
  }

  /**
   * Writes an answer, a long one in several turns of the event loop. Undefined where its caller was gone before the last
   * one.
   */
  write(
    segments: readonly Segment[],
    verbose: boolean,
    plan: BulkPlan,
    caller: Caller,
  ): ResponseBody | Promise<ResponseBody | undefined> {
    const { warmNs, warmBytes, coldNs, mostNs } = plan
    const isShort =
      warmNs + coldNs <= maxTurnNs && endOfTurn(mostNs, 0, segments.length).to === segments.length
    if (!isShort) return this.#writeInTurns(segments, verbose, plan, caller)
    if (warmBytes > maxStringBytes) {
      const fragments = this.#sinkFor(warmBytes)
      this.#add(fragments, segments, verbose)
      return new BodyFragments(fragments.take())
    }
    const sink = new StringSink(this.#context.calculator.writer)
    writeSegments(this.#context, segments, verbose, sink)
    return sink.text
  }

  async #writeInTurns(
    segments: readonly Segment[],
    verbose: boolean,
    { warmNs, coldNs, warmBytes, mostNs }: BulkPlan,
    caller: Caller,
  ): Promise<ResponseBody | undefined> {
    const ns = warmNs + coldNs
    const size = Math.ceil(segments.length / Math.ceil(ns / maxTurnNs))
    const sink = this.#sinkFor(warmBytes)
    for (let from = 0; from < segments.length; ) {
      const part = endOfTurn(mostNs, from, size)
      const share = Math.max((ns * (part.to - from)) / segments.length / maxTurnNs, part.mostNs / turnNs)
      await timeFor(share * maxTurnNs)
      if (caller.signal.aborted) {
        sink.discard()
        return undefined
      }
      this.#add(sink, segments.slice(from, part.to), verbose)
      from = part.to
    }
    return new BodyFragments(sink.take())
  }

  #sinkFor(bytes: number): BufferSink {
    const firstBytes = Math.min(Math.max(minBufferBytes, bytes), sinkBufferBytes)
    return new BufferSink(this.#context.calculator.writer, this.#pool, firstBytes)
  }

  #add(sink: BufferSink, segments: readonly Segment[], verbose: boolean): void {
    try {
      writeSegments(this.#context, segments, verbose, sink)
    } catch (error) {
      sink.discard()
      throw error
    }
  }
}

/** Resolves where a turn has time for a part. All answers share it. */
async function timeFor(ns: number): Promise<void> {
  const time = ['bulk answers', ns, maxTurnNs] as const
  if (!eventLoop.hasTime(...time)) await eventLoop.next(...time)
}

/** Up to which of at most `size` segments a turn has time for what they take at most; at least one. */
function endOfTurn(mostNs: readonly number[], from: number, size: number) {
  const end = Math.min(mostNs.length, from + size)
  let [to, sum] = [from, 0]
  while (to < end && (to === from || placeOf(sum + (mostNs[to] as number)) === 'here'))
    sum += mostNs[to++] as number
  return { to, mostNs: sum }
}
