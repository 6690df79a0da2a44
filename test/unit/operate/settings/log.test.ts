import { expect, it, vi } from 'vitest'
import { createLog, readableLine } from '../../../../src/runtime/log.js'

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

it('writes lines for people on a terminal', () => {
  const time = new Date(2026, 10, 28, 19, 25, 1).getTime()
  const line = (fields: object) =>
    readableLine(JSON.stringify({ level: 40, time, name: 'candela', pid: 1, hostname: 'x', ...fields }))
  expect(line({ msg: 'ready' })).toBe('19:25:01 warn  ready\n')
  expect(line({ msg: 'ready', url: 'http://a', max: 3 })).toBe(
    "19:25:01 warn  ready  { url: 'http://a', max: 3 }\n",
  )
  expect(
    line({ msg: 'it failed', err: { type: 'Error', message: 'no', stack: 'Error: no\n    at f' } }),
  ).toBe('19:25:01 warn  it failed\nError: no\n    at f\n')
})
