import * as zlib from 'node:zlib'
import { BodyFragments } from '../../runtime/buffer-pool.js'
import { encodingOf } from '../files/fixed-body.js'

/** Minimum length of a compressed table, in bytes. */
const minBytes = 16 * 1024
/** Length of the pieces of a compressed table, in bytes. */
const pieceBytes = 128 * 1024

/** Whether Node.js has Zstandard (from 22.15 on). */
const hasZstd = 'createZstdCompress' in zlib
const offered = hasZstd ? (['zstd', 'gzip'] as const) : (['gzip'] as const)

/** Gzip at level 1 of 9: tables are read once, and higher levels need several times as long for a few per cent. */
const createCompressor = (encoding: (typeof offered)[number]): zlib.Gzip =>
  encoding === 'gzip'
    ? zlib.createGzip({ level: 1, chunkSize: pieceBytes })
    : (zlib as unknown as ZstdModule).createZstdCompress({ chunkSize: pieceBytes })

interface ZstdModule {
  createZstdCompress(options: { readonly chunkSize: number }): zlib.Gzip
}

/**
 * Compresses a table with an encoding that the client accepts, and returns the name of the encoding. The table is
 * unchanged if it is short or the client accepts none. Threads of zlib compress one piece after the other, while
 * `signal` is not aborted.
 */
export async function compressTable(
  body: BodyFragments,
  acceptEncoding: string,
  signal: AbortSignal,
): Promise<{ readonly body: BodyFragments; readonly encoding?: string }> {
  const encoding = body.byteLength >= minBytes ? encodingOf(acceptEncoding, offered) : undefined
  if (encoding === undefined) return { body }
  const compressor = createCompressor(encoding)
  const pieces: Uint8Array[] = []
  compressor.on('data', piece => pieces.push(piece))
  try {
    await new Promise<void>((resolve, reject) => {
      compressor.once('end', resolve)
      compressor.once('error', reject)
      const buffers = body.buffers.values()
      const writeNext = () => {
        const { value, done } = buffers.next()
        if (done || signal.aborted) compressor.end()
        else compressor.write(value, writeNext)
      }
      writeNext()
    })
  } finally {
    body.release()
  }
  return { body: new BodyFragments(pieces), encoding }
}
