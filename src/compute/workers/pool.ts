import { fileURLToPath } from 'node:url'
import { move, Piscina, transferableSymbol, valueSymbol } from 'piscina'
import { isRefusal } from '../../contract/refusals.js'
import { FairQueue } from '../../runtime/scheduler.js'
import { Displaced, type PoolTask, type SentTask, type TaskResult } from '../task.js'

/**
 * Megabytes for young objects in a worker. The limit is low, so that the garbage of a task is collected within the next
 * two tasks.
 */
const youngGenerationMb = 16

interface Options {
  readonly threads: number
  /** Maximum number of tasks that wait for a thread. */
  readonly maxQueuedTasks: number
  /** The compiled module whose default export runs a task. */
  readonly worker: URL
  /** Called with the seconds that a task has waited for a thread; 0 if one was free. */
  readonly onBegin?: ((waitedSeconds: number) => void) | undefined
  /** Called with the seconds that a task ran on a thread. */
  readonly onEnd?: ((seconds: number) => void) | undefined
  /** Called when an idle worker dies. */
  readonly onFailure: (error: unknown) => void
}

/** A task in the queue. */
interface Waiting {
  begin(): void
  fail(error: unknown): void
}

/**
 * Threads that run tasks, one task per thread at a time. Tasks are queued here, because Piscina's queue puts abortable
 * tasks before earlier ones. When a worker dies, its task fails and another worker replaces it.
 */
export class WorkerPool {
  readonly #queue = new FairQueue<Waiting>()
  #running = 0
  #piscina: Piscina<SentTask, TaskResult>

  constructor(private readonly options: Options) {
    this.#piscina = this.#create()
  }

  get queued(): number {
    return this.#queue.size
  }

  /** The threads, exposed so that tests can end one. */
  get threads(): Piscina['threads'] {
    return this.#piscina.threads
  }

  /**
   * Makes room for `tasks` tasks of a client. If the queue is full, displaces the newest tasks of the client with the
   * most waiting tasks. Returns false if no other client has more waiting tasks than this one would have.
   */
  makeRoom(key: string, tasks: number): boolean {
    const { threads, maxQueuedTasks } = this.options
    while (this.#queue.size + tasks > maxQueuedTasks + Math.max(0, threads - this.#running)) {
      const displaced = this.#queue.popFromLongest(this.#queue.sizeOf(key) + tasks)
      if (!displaced) return false
      displaced.fail(new Displaced())
    }
    return true
  }

  /**
   * Runs a task on a thread when the client named `key` is next. Rejects if the worker dies, with `Displaced` if
   * another client needs the place, or if `signal` is aborted. An aborted task that has begun ends at its next step. A
   * flag signals the abort, because Piscina would end the thread.
   */
  async run(task: PoolTask, key: string, signal?: AbortSignal): Promise<TaskResult> {
    signal?.throwIfAborted()
    const queuedAt = performance.now()
    const waits = this.#running >= this.options.threads
    if (waits) await this.#wait(key, signal)
    else this.#running++
    const begunAt = performance.now()
    this.options.onBegin?.(waits ? (begunAt - queuedAt) / 1000 : 0)
    const stop = new Int32Array(new SharedArrayBuffer(4))
    stop[0] = signal?.aborted ? 1 : 0
    const onAbort = () => Atomics.store(stop, 0, 1)
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      const transferList = 'transfer' in task ? task.transfer : undefined
      return await this.#piscina.run({ ...task, stop }, transferList && { transferList: [...transferList] })
    } catch (error) {
      this.#repair()
      throw error
    } finally {
      signal?.removeEventListener('abort', onAbort)
      this.options.onEnd?.((performance.now() - begunAt) / 1000)
      const next = this.#queue.shift()
      if (next) next.begin()
      else this.#running--
    }
  }

  async close(): Promise<void> {
    for (let left = this.#queue.shift(); left; left = this.#queue.shift())
      left.fail(new Error('the pool is closed'))
    await this.#piscina.destroy()
  }

  /** Resolves when a thread is free for this task, which then counts as running. */
  #wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((begin, fail) => {
      const waiting: Waiting = {
        begin: () => {
          signal?.removeEventListener('abort', onAbort)
          begin()
        },
        fail: error => {
          signal?.removeEventListener('abort', onAbort)
          fail(error)
        },
      }
      const onAbort = () => {
        this.#queue.remove(key, waiting)
        fail(signal?.reason)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#queue.push(key, waiting)
    })
  }

  #create(): Piscina<SentTask, TaskResult> {
    const { threads, worker, onFailure } = this.options
    const piscina = new Piscina<SentTask, TaskResult>({
      filename: fileURLToPath(worker),
      minThreads: threads,
      maxThreads: threads,
      // Piscina's queue holds a task only while its thread starts.
      maxQueue: Number.POSITIVE_INFINITY,
      recordTiming: false,
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
    })
    piscina.on('error', error => {
      onFailure(error)
      this.#repair()
    })
    return piscina
  }

  /** Piscina replaces a worker that dies, except one that dies while it starts; then Piscina itself is replaced. */
  #repair(): void {
    if (this.#piscina.threads.length >= this.options.threads) return
    const broken = this.#piscina
    this.#piscina = this.#create()
    void broken.destroy()
  }
}

/** Marks the unshared buffers of a result to be moved to the other thread instead of copied. */
export function transferred(result: TaskResult): TaskResult {
  if (isRefusal(result.answer)) return result
  const columns = (result.kept ?? []).flatMap(kept => kept?.texts ?? [])
  const buffers = [
    ...result.answer.map(({ buffer }) => buffer),
    ...columns.flatMap(({ bytes, ends }) => [bytes.buffer, ends.buffer]),
  ]
  return move({
    // Several parts of an answer may be in one buffer.
    [transferableSymbol]: [...new Set(buffers)].filter(buffer => !(buffer instanceof SharedArrayBuffer)),
    [valueSymbol]: result,
  } as never) as unknown as TaskResult
}
