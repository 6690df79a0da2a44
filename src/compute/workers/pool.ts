import { fileURLToPath } from 'node:url'
import { move, Piscina, queueOptionsSymbol, transferableSymbol, valueSymbol } from 'piscina'
import { isRefusal } from '../../contract/refusals.js'
import type { SuppliedBodyTask, TaskResult, WorkerTask } from './worker-task.js'

/** Told at the moment in which a thread begins a task. */
type OnTaskStart = () => void

/** Megabytes of young objects: what one task leaves behind is gone before the next but one. */
const youngMb = 16

interface Options {
  readonly threads: number
  /** The compiled module whose default export does a task. */
  readonly worker: URL
  /** Told of workers that ended without having a task to blame. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Threads that do parts of bulk answers, each one task at a time, first come, first served. A worker that dies
 * costs the task it had; another one takes its place.
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

  /** The threads themselves, which tests end. */
  get threads(): Piscina['threads'] {
    return this.#piscina.threads
  }

  /**
   * Does a task on the next free thread. Rejects when its worker dies, or when `gone` is aborted before a thread
   * has begun; after that the thread is left to finish, because Piscina would end it.
   */
  async run(task: WorkerTask | SuppliedBodyTask, gone?: AbortSignal): Promise<TaskResult> {
    const cancel = new AbortController()
    const begin: OnTaskStart = () => this.#waiting.delete(cancel)
    const leave = () => {
      if (this.#waiting.has(cancel)) cancel.abort()
    }
    gone?.addEventListener('abort', leave, { once: true })
    this.#waiting.add(cancel)
    try {
      gone?.throwIfAborted()
      const marked = { ...task, [queueOptionsSymbol]: begin }
      return await this.#piscina.run(marked, { signal: cancel.signal })
    } catch (error) {
      this.#repair()
      throw error
    } finally {
      this.#waiting.delete(cancel)
      gone?.removeEventListener('abort', leave)
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
      // The pool counts for itself what waits; a task goes back to where it was when no thread is free.
      maxQueue: Number.POSITIVE_INFINITY,
      stricterFIFO: true,
      recordTiming: false,
      resourceLimits: { maxYoungGenerationSizeMb: youngMb },
      // The balancer is asked at the moment in which a task begins, the only one who hears of it.
      loadBalancer: (task, workers) => {
        const free = workers.find(candidate => candidate.currentUsage === 0 && !candidate.destroyed)
        if (!free) return null
        const begin = task[queueOptionsSymbol] as OnTaskStart
        begin()
        return free
      },
    })
    piscina.on('error', error => {
      onFailure(error)
      this.#repair()
    })
    return piscina
  }

  /** Piscina replaces a worker that dies, except one that dies before it was up; then all of it is replaced. */
  #repair(): void {
    if (this.#piscina.threads.length >= this.#options.threads) return
    const broken = this.#piscina
    this.#piscina = this.#create()
    const stranded = [...this.#waiting]
    for (const cancel of stranded) cancel.abort()
    void broken.destroy()
  }
}

/** An outcome whose bytes leave this thread instead of being copied; those in shared memory are seen by both. */
export function transferred(outcome: TaskResult): TaskResult {
  if (isRefusal(outcome.result)) return outcome
  const buffers = outcome.result.map(({ buffer }) => buffer)
  return move({
    [transferableSymbol]: buffers.filter(buffer => !(buffer instanceof SharedArrayBuffer)),
    [valueSymbol]: outcome,
  } as never) as unknown as TaskResult
}
