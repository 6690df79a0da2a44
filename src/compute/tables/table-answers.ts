import { isRefusal, type Refusal } from '../../contract/refusals.js'
import type { TableFormat } from '../../contract/table-format.js'
import { BodyFragments } from '../../runtime/buffer-pool.js'
import { eventLoop, turnNs } from '../../runtime/event-loop.js'
import { computeResult } from '../answer.js'
import type { Computation } from '../bulk/bulk-layout.js'
import { cutIntoRuns, planBulk, type Run } from '../bulk/bulk-plan.js'
import type { Caller, ComputeDispatcher } from '../compute-dispatcher.js'
import { CostEstimates, placeOf } from '../costs.js'
import type { Calculator } from '../kernels/calculator.js'
import { packTask } from '../workers/worker-task.js'
import { packColumns } from './result-columns.js'
import { cellsOf, type TableLayout } from './table.js'

interface Options {
  readonly calculator: Calculator
  readonly dispatch: Pick<ComputeDispatcher, 'runTable' | 'threads'>
}

/** What writing a cell takes, in nanoseconds, about. */
const cellNs: Readonly<Record<TableFormat, number>> = { csv: 250, ndjson: 300, arrow: 2 }

/** Less work is not worth a task of its own, in nanoseconds. */
const minTaskNs = 1_000_000

/** Computes and writes answers that are tables: what takes little on the event loop, the rest in threads. */
export class TableAnswers {
  readonly #options: Options
  readonly #costs = new CostEstimates()

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * The columns of computations that are not refused, as `packColumns` lays them out. A refusal where too many tasks
   * wait. Rejects where a computation throws.
   */
  async compute(
    computations: readonly Pick<Computation, 'query' | 'snapshot'>[],
    caller: Caller,
    accountId: string,
  ): Promise<readonly Float64Array[] | Refusal> {
    const all = computations.map(each => ({ ...each, before: '' }))
    const plan = planBulk(all, this.#costs, undefined, turnNs)
    if (plan.isColdInline) {
      if (!eventLoop.hasTime('requests')) await eventLoop.next('requests')
      return all.map(each => this.#computeHere(each))
    }
    const weights = plan.costs.map(({ ns }) => ns)
    const total = weights.reduce((sum, ns) => sum + ns, 0)
    const { threads } = this.#options.dispatch
    const count = Math.min(threads, Math.max(1, Math.floor(total / minTaskNs)))
    const parts = await Promise.all(
      cutIntoRuns(all, weights, count).map(run => this.#computeInThread(run, caller, accountId)),
    )
    return parts.find(isRefusal) ?? parts.flatMap(part => (isRefusal(part) ? [] : part))
  }

  /** Writes a table, which must not be used after that. A refusal where too many tasks wait. */
  async write(
    layout: TableLayout,
    format: TableFormat,
    caller: Caller,
    accountId: string,
  ): Promise<BodyFragments | Refusal> {
    const ns = cellsOf(layout) * cellNs[format]
    if (placeOf(ns) === 'here') {
      const { writeTable } = await import('./write-table.js')
      if (!eventLoop.hasTime('answers', ns)) await eventLoop.next('answers', ns)
      return new BodyFragments(writeTable(layout, format, this.#options.calculator.writer))
    }
    const task = { kind: 'table', layout, format, transfer: buffersOf(layout) } as const
    const written = await this.#options.dispatch.runTable(task, caller, accountId)
    return isRefusal(written) ? written : new BodyFragments(written.answer)
  }

  #computeHere({ query, snapshot }: Computation): Float64Array {
    const { calculator } = this.#options
    return packColumns(calculator, computeResult(calculator, query, snapshot, this.#costs))
  }

  async #computeInThread(
    { computations }: Run,
    caller: Caller,
    accountId: string,
  ): Promise<readonly Float64Array[] | Refusal> {
    const work = packTask(computations, false)
    const result = await this.#options.dispatch.runTable({ kind: 'columns', work }, caller, accountId)
    if (isRefusal(result)) return result
    this.#costs.recordAll(work.queries, result.costs)
    return result.answer.map(
      ({ buffer, byteOffset, byteLength }) => new Float64Array(buffer, byteOffset, byteLength / 8),
    )
  }
}

/** The memory of the columns of a layout. */
function buffersOf({ parts }: TableLayout): readonly ArrayBuffer[] {
  const buffers = new Set<ArrayBufferLike>()
  for (const { table } of parts)
    for (const column of table.columns) {
      if (column.kind === 'names') for (const mask of column.masks) buffers.add(mask.buffer)
      else buffers.add(column.kind === 'text' ? column.codes.buffer : column.values.buffer)
    }
  return [...buffers] as ArrayBuffer[]
}
