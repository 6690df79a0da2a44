import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { crc32, createGunzip } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'
import { CommandFailure } from './failure.js'

/** A file that was given, or one of those within it. */
export interface NamedFile {
  readonly name: string
  readonly bytes: AsyncIterable<Uint8Array>
}

/** An archive of files has to be read as a whole; this is more than ten years of minutes take. */
const mostZipped = 512 * 2 ** 20

/**
 * The files that a name on the command line stands for: itself, what is in it where it is zipped (by its first bytes),
 * or standard input for `-`. Rejects with a CommandFailure where it cannot be read.
 */
export async function* openFiles(path: string): AsyncGenerator<NamedFile, void, void> {
  const name = path === '-' ? 'standard input' : path
  const unreadable = (error: unknown) =>
    new CommandFailure(`Cannot read ${name}: ${(error as Error).message.replace(/, \w+ '.*'$/, '')}`)
  async function* told(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
    try {
      yield* bytes
    } catch (error) {
      throw unreadable(error)
    }
  }
  const input: Readable = path === '-' ? process.stdin : createReadStream(path)
  const chunks = told(input)[Symbol.asyncIterator]()
  const { head, rest } = await begin(chunks)
  const mark = head.subarray(0, 4).toString('latin1')
  if (mark.startsWith('\x1f\x8b')) {
    const plain = createGunzip()
    Readable.from(rest)
      .on('error', error => plain.destroy(error))
      .pipe(plain)
    yield { name, bytes: told(plain) }
    return
  }
  if (mark !== 'PK\x03\x04' && mark !== 'PK\x05\x06') {
    yield { name, bytes: rest }
    return
  }
  const whole: Uint8Array[] = []
  let size = 0
  for await (const chunk of rest) {
    size += chunk.length
    if (size > mostZipped)
      throw new CommandFailure(`${name} is larger than ${mostZipped / 2 ** 20} MiB: unzip it first`)
    whole.push(chunk)
  }
  try {
    const zip = await fromBufferPromise(Buffer.concat(whole), { lazyEntries: true })
    for await (const entry of zip.eachEntry()) {
      // Archives made on a Mac have files about files.
      if (!/\.(?:csv|txt|tsv)$/i.test(entry.fileName) || entry.fileName.startsWith('__MACOSX/')) continue
      const bytes = await zip.openReadStreamPromise(entry)
      yield { name: `${name}/${entry.fileName}`, bytes: told(checked(bytes, entry.crc32)) }
    }
  } catch (error) {
    throw error instanceof CommandFailure ? error : unreadable(error)
  }
}

/** The same bytes, and an error at the end where they are not those that were zipped: yauzl leaves this to its callers. */
async function* checked(
  bytes: AsyncIterable<Uint8Array>,
  expected: number,
): AsyncGenerator<Uint8Array, void, void> {
  let sum = 0
  for await (const chunk of bytes) {
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (sum !== expected) throw new Error('its checksum is wrong')
}

/** The first bytes, at least four where there are so many, and all of them. */
async function begin(chunks: AsyncIterator<Uint8Array>): Promise<{
  readonly head: Buffer
  readonly rest: AsyncIterable<Uint8Array>
}> {
  let head = Buffer.alloc(0)
  while (head.length < 4) {
    const { value, done } = await chunks.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  async function* rest() {
    yield head
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return { head, rest: rest() }
}
