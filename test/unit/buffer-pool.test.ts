import { describe, expect, it } from 'vitest'
import { Rooms } from '../../src/server/body-buffers.js'

const kib = 1024
const isShared = ({ buffer }: Uint8Array) => (buffer as ArrayBufferLike) instanceof SharedArrayBuffer

describe('rooms for bodies', () => {
  it('are used again after they were given back, and by one body at a time', () => {
    const rooms = new Rooms()
    const first = rooms.take(20 * kib)
    const second = rooms.take(20 * kib)
    expect(first.byteLength).toBeGreaterThanOrEqual(20 * kib)
    expect(first.buffer).not.toBe(second.buffer)
    rooms.giveBack(first)
    expect(rooms.take(30 * kib).buffer).toBe(first.buffer)
    expect(rooms.take(30 * kib).buffer).not.toBe(second.buffer)
  })

  it('are the smallest that will do', () => {
    const rooms = new Rooms()
    const sizes = [1024, 64, 256].map(size => rooms.take(size * kib))
    for (const room of sizes) rooms.giveBack(room)
    expect(rooms.take(100 * kib).byteLength).toBe(256 * kib)
    expect(rooms.take(100 * kib).byteLength).toBe(1024 * kib)
    expect(rooms.take(20 * kib).byteLength).toBe(64 * kib)
  })

  it('are not shared for small bodies, nor when all are taken', () => {
    const rooms = new Rooms(96 * kib)
    expect(isShared(rooms.take(0))).toBe(false)
    expect(isShared(rooms.take(1000))).toBe(false)
    const only = rooms.take(60 * kib)
    expect(isShared(only)).toBe(true)
    const further = rooms.take(60 * kib)
    expect(isShared(further)).toBe(false)
    expect(further.byteLength).toBe(60 * kib)
    rooms.giveBack(further)
    expect(isShared(rooms.take(60 * kib)), 'what is not shared is not kept').toBe(false)
    rooms.giveBack(only)
    expect(isShared(rooms.take(60 * kib))).toBe(true)
  })
})
