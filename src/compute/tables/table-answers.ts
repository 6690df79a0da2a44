import type { Snapshot } from '../../candles/columns.js'
import type { Query } from '../../contract/query.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import type { TableFormat } from '../../contract/table-format.js'
import { BodyFragments, BufferPool } from '../../runtime/buffer-pool.js'
import { scheduler, sliceNs } from '../../runtime/scheduler.js'
import { computeResult } from '../answer.js'
import type { Computation } from '../bulk/bulk-layout.js'
import { cutIntoRuns, planBulk, type Run } from '../bulk/bulk-plan.js'
import type { Caller, ComputeDispatcher } from '../compute-dispatcher.js'
import { CostEstimates, mostNsOf, numbersOf, placeOf, workFor } from '../costs.js'
import type { Calculator } from '../kernels/calculator.js'
import { packTask } from '../workers/worker-task.js'
import { packColumns, tableOfResult } from './result-columns.js'
import { cellsOf, singleTable, type TableLayout } from './table.js'

interface Options {
  readonly calculator: Calculator
  readonly dispatch: Pick<ComputeDispatcher, 'runTable' | 'threads' | 'ranges'>
}

/** What writing a cell takes, in nanoseconds, about. */
const cellNs: Readonly<Record<TableFormat, number>> = { csv: 250, ndjson: 300, arrow: 2 }

/** Less work is not worth a task of its own, in nanoseconds. */
const minTaskNs = 1_000_000

/** Computes and writes answers that are tables: what takes little on the event loop, the rest in threads. */
export class TableAnswers {
  readonly #options: Options
  readonly #costs = new CostEstimates()
  /** What is written on the event loop is short: its buffers are ordinary memory. */
  readonly #pool = new BufferPool(0)

  constructor(options: Options) {
    this.#options = options
  }

  /** The table that answers a query which is not refused, written in one turn with its kernel, whose columns are not copied. */
  async answer(
    query: Query,
    snapshot: Snapshot,
    format: TableFormat,
    caller: Caller,
    accountId: string,
  ): Promise<BodyFragments | Refusal> {
    const { calculator, dispatch } = this.#options
    const ns =
      mostNsOf(query, snapshot, workFor(query, snapshot)) + numbersOf(query, snapshot) * cellNs[format]
    if (placeOf(ns) === 'here') {
      const { writeTable } = await import('./write-table.js')
      await scheduler.slice('answers', ns)
      const table = tableOfResult(calculator, computeResult(calculator, query, snapshot, this.#costs))
      return new BodyFragments(writeTable(singleTable(table), format, calculator.writer, this.#pool))
    }
    const work = packTask([{ query, snapshot, before: '' }], false)
    const written = await dispatch.runTable({ kind: 'answer', work, format }, caller, accountId)
    return isRefusal(written) ? written : new BodyFragments(written.answer)
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
    const plan = planBulk(all, this.#costs, undefined, sliceNs)
    if (plan.isColdInline) {
      await scheduler.slice('requests')
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

  /** Answers for times of histories that are longer than what is in memory. */
  get ranges(): ComputeDispatcher['ranges'] {
    return this.#options.dispatch.ranges
  }

  /** Writes a table, whose memory may be moved to a thread. A refusal where too many tasks wait. */
  async write(
    layout: TableLayout,
    format: TableFormat,
    caller: Caller,
    accountId: string,
  ): Promise<BodyFragments | Refusal> {
    const ns = cellsOf(layout) * cellNs[format]
    if (placeOf(ns) === 'here') {
      const { writeTable } = await import('./write-table.js')
      await scheduler.slice('answers', ns)
      return new BodyFragments(writeTable(layout, format, this.#options.calculator.writer, this.#pool))
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

/** The memory of the columns of a layout, without that of candles, which is shared. */
function buffersOf({ parts }: TableLayout): readonly ArrayBuffer[] {
  const buffers = new Set<ArrayBufferLike>()
  for (const { table } of parts)
    for (const column of table.columns) {
      if (column.kind === 'names') for (const mask of column.masks) buffers.add(mask.buffer)
      else buffers.add(column.kind === 'text' ? column.codes.buffer : column.values.buffer)
    }
  return [...buffers].filter(buffer => buffer instanceof ArrayBuffer)
}
