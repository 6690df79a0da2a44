import * as zlib from 'node:zlib'
import { BodyFragments } from '../../runtime/buffer-pool.js'
import { encodingOf } from '../files/fixed-body.js'

/** Smaller tables are not compressed, in bytes. */
const minBytes = 16 * 1024
/** The length of the pieces of a compressed table, in bytes. */
const pieceBytes = 128 * 1024

/** Node.js has it from 22.15 on. */
const hasZstd = 'createZstdCompress' in zlib
const offered = hasZstd ? (['zstd', 'gzip'] as const) : (['gzip'] as const)

/** Gzip at 1 of 9: tables are read once, and higher levels take several times as long for a few per cent. */
const createCompressor = (encoding: (typeof offered)[number]): zlib.Gzip =>
  encoding === 'gzip'
    ? zlib.createGzip({ level: 1, chunkSize: pieceBytes })
    : (zlib as unknown as ZstdModule).createZstdCompress({ chunkSize: pieceBytes })

interface ZstdModule {
  createZstdCompress(options: { readonly chunkSize: number }): zlib.Gzip
}

/**
 * A table in the encoding that the client accepts, with the name of that; as it is where the client accepts none, or where it
 * is short. It is compressed by threads of zlib, one piece after the other, while `signal` is not aborted.
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
