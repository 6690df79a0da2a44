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
