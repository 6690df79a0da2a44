import { fstatSync, writeSync } from 'node:fs'

/** Maximum number of bytes that wait for the reader of standard error. */
const maxWaitingBytes = 2 ** 20

/**
 * Whether standard output (1) or standard error (2) is a pipe or a socket. Nobody may read it, so it is written by its stream,
 * which never waits. A thread of libuv that waits would keep the process from ending.
 */
export function isPipe(descriptor: 1 | 2): boolean {
  const status = fstatSync(descriptor)
  return status.isFIFO() || status.isSocket()
}

/** Resolves when the reader of standard output has room for all of the bytes. */
export const writeOutput = (bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(bytes, error => (error ? reject(error) : resolve()))
  })

/** Writes to standard error at once. Returns false if the text is lost: the disk is full, or nobody reads the pipe. */
export function createErrorWriter(): (text: string) => boolean {
  if (!isPipe(2)) return writeAll
  // Without a listener, a reader that has gone would end the process.
  process.stderr.on('error', () => {})
  return text => {
    if (process.stderr.destroyed || process.stderr.writableLength > maxWaitingBytes) return false
    process.stderr.write(text)
    return true
  }
}

function writeAll(text: string): boolean {
  const bytes = Buffer.from(text)
  try {
    for (let written = 0; written < bytes.byteLength; ) written += writeSync(2, bytes, written)
    return true
  } catch {
    return false
  }
}
