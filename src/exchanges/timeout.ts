/** What a promise brings, or undefined when that takes longer than so many seconds. */
export async function withTimeout<Value>(
  promise: Promise<Value>,
  seconds: number,
): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(resolve, seconds * 1000, undefined)
    timer.unref()
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
