import { describe, expect, it } from 'vitest'
import { BufferSink, sinkBufferBytes } from '../../../src/compute/json/sink.js'
import { Calculator } from '../../../src/compute/kernels/calculator.js'
import { BodyFragments, BufferPool } from '../../../src/runtime/buffer-pool.js'

const kib = 1024
const mib = 1024 * kib
const isShared = ({ buffer }: Uint8Array) => (buffer as ArrayBufferLike) instanceof SharedArrayBuffer

describe('a buffer pool', () => {
  it('reuses released buffers, each for one caller at a time', () => {
    const pool = new BufferPool(mib)
    const first = pool.take(20 * kib)
    const second = pool.take(20 * kib)
    expect(first.byteLength).toBeGreaterThanOrEqual(20 * kib)
    expect(first.buffer).not.toBe(second.buffer)
    BufferPool.release(first)
    expect(pool.take(30 * kib).buffer).toBe(first.buffer)
    expect(pool.take(30 * kib).buffer).not.toBe(second.buffer)
  })

  it('reuses the smallest buffer that suffices', () => {
    const pool = new BufferPool(2 * mib)
    const buffers = [1024, 64, 256].map(size => pool.take(size * kib))
    for (const buffer of buffers) BufferPool.release(buffer)
    expect(pool.take(100 * kib).byteLength).toBe(256 * kib)
    expect(pool.take(100 * kib).byteLength).toBe(1024 * kib)
    expect(pool.take(20 * kib).byteLength).toBe(64 * kib)
  })

  it('gives unshared memory for few bytes, and when it is full', () => {
    const pool = new BufferPool(96 * kib)
    expect(isShared(pool.take(0))).toBe(false)
    expect(isShared(pool.take(1000))).toBe(false)
    const only = pool.take(60 * kib)
    expect(isShared(only)).toBe(true)
    const further = pool.take(60 * kib)
    expect(isShared(further)).toBe(false)
    expect(further.byteLength).toBe(60 * kib)
    BufferPool.release(further)
    expect(isShared(pool.take(60 * kib)), 'unshared memory is not pooled').toBe(false)
    BufferPool.release(only)
    expect(isShared(pool.take(60 * kib))).toBe(true)
  })

  it('takes 4 MiB of its bound for a body of 4 MiB', () => {
    const pool = new BufferPool(8 * mib)
    const buffers = [pool.take(4 * mib), pool.take(4 * mib)]
    expect(buffers.map(isShared)).toEqual([true, true])
    expect(buffers.map(({ byteLength }) => byteLength)).toEqual([4 * mib, 4 * mib])
    expect(isShared(pool.take(20 * kib))).toBe(false)
  })

  it('reuses the buffers of an answer once they were released, and not before', () => {
    const { writer } = new Calculator()
    const pool = new BufferPool(2 * sinkBufferBytes)
    const memories = (buffers: readonly Uint8Array[]) => buffers.map(({ buffer }) => buffer)
    const write = (text: string) => {
      const sink = new BufferSink(writer, pool)
      sink.add(text)
      return sink.take()
    }
    const first = new BodyFragments(write('first'))
    const second = new BodyFragments(write('second'))
    expect([...first.buffers, ...second.buffers].every(isShared)).toBe(true)
    const third = new BodyFragments(write('third'))
    expect(third.buffers.some(isShared), 'all buffers are in use').toBe(false)
    expect(Buffer.concat(first.buffers).toString()).toBe('first')
    first.release()
    const fourth = new BodyFragments(write('fourth'))
    expect(memories(fourth.buffers)).toEqual(memories(first.buffers))
    first.release()
    expect(write('fifth').some(isShared), 'a second release has no effect').toBe(false)
    expect(Buffer.concat(fourth.buffers).toString()).toBe('fourth')
    expect(Buffer.concat(second.buffers).toString()).toBe('second')
  })
})
