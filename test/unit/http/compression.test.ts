import * as zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compressTable } from '../../../src/http/tables/compression.js'
import { BodyFragments, BufferPool } from '../../../src/runtime/buffer-pool.js'

describe('a table in recycled buffers', () => {
  it('is compressed whole, and its buffers are released', async () => {
    const pool = new BufferPool(64 * 1024)
    const pieces = [1, 2].map(value => pool.take(32 * 1024).fill(value))
    const plain = Buffer.concat(pieces)
    const { body, encoding } = await compressTable(
      new BodyFragments(pieces),
      'gzip',
      new AbortController().signal,
    )
    expect(encoding).toBe('gzip')
    expect(zlib.gunzipSync(Buffer.concat(body.buffers)).equals(plain)).toBe(true)
    // Buffers of the pool, which is full, are shared memory; ordinary ones are not.
    expect([1, 2, 3].map(() => pool.take(32 * 1024).buffer instanceof SharedArrayBuffer)).toEqual([
      true,
      true,
      false,
    ])
  })
})
