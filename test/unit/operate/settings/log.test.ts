import { expect, it, vi } from 'vitest'
import { createLog } from '../../../../src/runtime/log.js'

const disk = vi.hoisted(() => ({ isFull: false, written: '' }))
vi.mock('node:fs', async importOriginal => {
  const real = await importOriginal<typeof import('node:fs')>()
  const fstatSync = () => ({ isFIFO: () => false, isSocket: () => false })
  /** Takes ten bytes at a time. */
  const writeSync = (_: number, bytes: Uint8Array, from: number) => {
    if (disk.isFull) throw new Error('ENOSPC')
    const part = bytes.subarray(from, from + 10)
    disk.written += part
    return part.byteLength
  }
  return { ...real, fstatSync, writeSync, default: real }
})

it('reports lines that could not be written before the next one that can be', () => {
  const log = createLog('info')
  log.info({}, 'one')
  disk.isFull = true
  for (const text of ['two', 'three', 'four']) log.warn({}, text)
  disk.isFull = false
  log.info({ at: 5 }, 'five')
  const lines = disk.written.trim().split('\n')
  expect(lines.map(line => JSON.parse(line))).toEqual([
    expect.objectContaining({ msg: 'one' }),
    expect.objectContaining({ msg: 'lines of this log could not be written', lost: 3 }),
    expect.objectContaining({ msg: 'five', at: 5 }),
  ])
})
