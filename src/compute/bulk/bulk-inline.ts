import { BodyFragments, BufferPool } from '../../runtime/buffer-pool.js'
import { scheduler, sliceNs } from '../../runtime/scheduler.js'
import { BufferSink, type JsonSink, StringSink, sinkBufferBytes } from '../json/sink.js'
import { type BulkLayout, type Computation, type ComputeContext, writeComputations } from './bulk-layout.js'
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
const maxSliceNs = 500_000

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
  async write(layout: BulkLayout, plan: BulkPlan, caller: Caller): Promise<ResponseBody | undefined> {
    const { computations, end } = layout
    const isAtOnce = endOfTurn(plan, 0).to === computations.length
    const isString = isAtOnce && plan.warmBytes <= maxStringBytes
    const sink = isString ? new StringSink(this.#context.calculator.writer) : this.#sinkFor(plan.warmBytes)
    for (let from = 0; from < computations.length; ) {
      const { to, ns } = endOfTurn(plan, from)
      if (!isAtOnce) await timeFor(ns)
      if (caller.signal.aborted) {
        if (sink instanceof BufferSink) sink.discard()
        return undefined
      }
      this.#write(isAtOnce ? computations : computations.slice(from, to), layout, sink)
      from = to
    }
    sink.add(end)
    return sink instanceof BufferSink ? new BodyFragments(sink.take()) : sink.text
  }

  /**
   * The layout without its warm computations, which are finished text before the others. Undefined where the caller was
   * gone before the last one.
   */
  async withoutWarm(layout: BulkLayout, plan: BulkPlan, caller: Caller): Promise<BulkLayout | undefined> {
    const cold: Computation[] = []
    let sink = new StringSink(this.#context.calculator.writer)
    for (const [at, computation] of layout.computations.entries()) {
      const { isWarm, ns, mostNs } = plan.costs[at] as BulkPlan['costs'][number]
      if (isWarm) {
        await timeFor(shareOf(ns, mostNs))
        if (caller.signal.aborted) return undefined
        this.#write([computation], layout, sink)
        continue
      }
      cold.push(sink.text === '' ? computation : { ...computation, before: sink.text + computation.before })
      sink = new StringSink(this.#context.calculator.writer)
    }
    return { ...layout, computations: cold, end: sink.text + layout.end }
  }

  #sinkFor(bytes: number): BufferSink {
    const firstBytes = Math.min(Math.max(minBufferBytes, bytes), sinkBufferBytes)
    return new BufferSink(this.#context.calculator.writer, this.#pool, firstBytes)
  }

  #write(computations: readonly Computation[], { verbose }: BulkLayout, sink: JsonSink): void {
    try {
      writeComputations(this.#context, computations, verbose, sink)
    } catch (error) {
      if (sink instanceof BufferSink) sink.discard()
      throw error
    }
  }
}

/** Resolves in a later turn that has time for a part; undefined where this one has. All answers share it. */
const timeFor = (ns: number): Promise<void> | undefined => scheduler.slice('bulk answers', ns, maxSliceNs)

/** What a computation uses of `maxSliceNs`: no turn may take longer than `sliceNs` either, whatever was measured. */
const shareOf = (ns: number, mostNs: number): number => Math.max(ns, (mostNs * maxSliceNs) / sliceNs)

/** Up to which computation from `from` on a turn has time, at least one, and what they use of it. */
function endOfTurn({ costs }: BulkPlan, from: number): { readonly to: number; readonly ns: number } {
  let [to, ns, mostNs] = [from, 0, 0]
  for (; to < costs.length; to++) {
    const cost = costs[to] as BulkPlan['costs'][number]
    if (to > from && shareOf(ns + cost.ns, mostNs + cost.mostNs) > maxSliceNs) break
    ns += cost.ns
    mostNs += cost.mostNs
  }
  return { to, ns: shareOf(ns, mostNs) }
}
