import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** Collects the garbage of this process. */
export const collectGarbage: () => void = runInNewContext('gc')

const paused = new Int32Array(new SharedArrayBuffer(4))

const bytesInUse = (): number => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/**
 * Bytes of JavaScript's heap and its external buffers in use after garbage collection. V8 frees buffers in a thread of its
 * own, so collection is repeated until nothing more is freed.
 */
export function usedBytes(): number {
  let bytes = bytesInUse()
  for (let unchanged = 0; unchanged < 2; ) {
    Atomics.wait(paused, 0, 0, 10)
    const now = bytesInUse()
    unchanged = now < bytes - 10_000 ? 0 : unchanged + 1
    bytes = now
  }
  return bytes
}
