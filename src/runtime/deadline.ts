export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

/**
 * Runs `work` with a timeout of `ms` milliseconds, aborted early by `outer`. `work` gets a signal that aborts with a
 * TimeoutError, or with the reason of `outer`. Settles as `work` does. `AbortSignal.any` with `AbortSignal.timeout`
 * does not work here: Node.js 20 collects the second signal as garbage during the wait, and nothing aborts then.
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

/** The value of a promise, or undefined if it is not settled after `seconds`. The promise itself keeps running. */
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
