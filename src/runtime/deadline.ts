/** Whether an error or a reason says that something has taken too long. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

/**
 * Does something that has so many milliseconds and ends early with `outer`: `work` gets a signal that aborts with a
 * TimeoutError, or with the reason of `outer`. What `work` resolves or rejects with is the outcome.
 *
 * This is not `AbortSignal.any` with `AbortSignal.timeout`, because Node.js 20 collects the second signal as garbage while
 * it is waited for, and nothing aborts then.
 */
export async function withDeadline<Result>(
  timeoutMs: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const end = () => controller.abort(outer.reason)
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`it took longer than ${timeoutMs} ms`, 'TimeoutError'))
  }, timeoutMs)
  outer.addEventListener('abort', end)
  if (outer.aborted) end()
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', end)
  }
}

/** The value of a promise, or undefined when it is not settled after `seconds`. The promise itself goes on. */
export async function withTimeout<Value>(
  promise: Promise<Value>,
  seconds: number,
): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>(resolve => {
    timer = setTimeout(resolve, seconds * 1000, undefined)
    timer.unref()
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
