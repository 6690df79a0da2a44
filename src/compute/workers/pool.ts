import { fileURLToPath } from 'node:url'
import { move, Piscina, queueOptionsSymbol, transferableSymbol, valueSymbol } from 'piscina'
import { isRefusal } from '../../contract/refusals.js'
import type { SuppliedBodyTask, TaskResult, WorkerTask } from './worker-task.js'

/** Called when a thread begins a task. */
type OnTaskStart = () => void

/** Megabytes for young objects in a worker: so few that the garbage of a task is collected within the next two tasks. */
const youngGenerationMb = 16

interface Options {
  readonly threads: number
  /** The compiled module whose default export runs a task. */
  readonly worker: URL
  /** Called when a worker ends while it runs no task. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Threads that compute tasks of bulk answers, each one task at a time, in the order in which they were queued. When a
 * worker dies, its task fails and another worker replaces it.
 */
export class WorkerPool {
  readonly #options: Options
  readonly #waiting = new Set<AbortController>()
  #piscina: Piscina<WorkerTask | SuppliedBodyTask, TaskResult>

  constructor(options: Options) {
    this.#options = options
    this.#piscina = this.#create()
  }

  /** Tasks that no thread has begun. */
  get queued(): number {
    return this.#waiting.size
  }

  /** Threads without a task. */
  get idle(): number {
    return this.#piscina.idleThreads
  }

  /** The threads themselves, so that tests can end one. */
  get threads(): Piscina['threads'] {
    return this.#piscina.threads
  }

  /**
   * Runs a task on the next free thread. Rejects when its worker dies, or when `signal` is aborted before a thread has
   * begun. A task that has begun runs to its end, because Piscina would end the thread to cancel it.
   */
  async run(task: WorkerTask | SuppliedBodyTask, signal?: AbortSignal): Promise<TaskResult> {
    const cancel = new AbortController()
    const onStart: OnTaskStart = () => this.#waiting.delete(cancel)
    const onAbort = () => {
      if (this.#waiting.has(cancel)) cancel.abort()
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#waiting.add(cancel)
    try {
      signal?.throwIfAborted()
      const marked = { ...task, [queueOptionsSymbol]: onStart }
      return await this.#piscina.run(marked, { signal: cancel.signal })
    } catch (error) {
      this.#repair()
      throw error
    } finally {
      this.#waiting.delete(cancel)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  async close(): Promise<void> {
    await this.#piscina.destroy()
  }

  #create(): Piscina<WorkerTask | SuppliedBodyTask, TaskResult> {
    const { threads, worker, onFailure } = this.#options
    const piscina = new Piscina<WorkerTask | SuppliedBodyTask, TaskResult>({
      filename: fileURLToPath(worker),
      minThreads: threads,
      maxThreads: threads,
      // Waiting tasks are counted here. A task for which the balancer finds no thread keeps its place in the queue.
      maxQueue: Number.POSITIVE_INFINITY,
      stricterFIFO: true,
      recordTiming: false,
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
      // The balancer is the only function that is called when a task begins.
      loadBalancer: (task, workers) => {
        const free = workers.find(candidate => candidate.currentUsage === 0 && !candidate.destroyed)
        if (!free) return null
        const onStart = task[queueOptionsSymbol] as OnTaskStart
        onStart()
        return free
      },
    })
    piscina.on('error', error => {
      onFailure(error)
      this.#repair()
    })
    return piscina
  }

  /** Piscina replaces a worker that dies, except one that dies while it starts; then Piscina itself is replaced. */
  #repair(): void {
    if (this.#piscina.threads.length >= this.#options.threads) return
    const broken = this.#piscina
    this.#piscina = this.#create()
    for (const cancel of [...this.#waiting]) cancel.abort()
    void broken.destroy()
  }
}

/** A result whose unshared buffers are moved to the other thread instead of being copied. */
export function transferred(result: TaskResult): TaskResult {
  if (isRefusal(result.answer)) return result
  const buffers = result.answer.map(({ buffer }) => buffer)
  return move({
    [transferableSymbol]: buffers.filter(buffer => !(buffer instanceof SharedArrayBuffer)),
    [valueSymbol]: result,
  } as never) as unknown as TaskResult
}
