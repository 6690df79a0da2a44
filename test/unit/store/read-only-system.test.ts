import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openDatabase } from '../../../src/store/embedded/embedded.js'

vi.mock('node:fs', async load => {
  const fs = await load<typeof import('node:fs')>()
  const openSync: typeof fs.openSync = (path, flags, mode) => {
    if (String(path).includes('read-only') && flags !== 'r')
      throw Object.assign(new Error('EROFS: read-only file system, open'), { code: 'EROFS' })
    return fs.openSync(path, flags, mode)
  }
  return { ...fs, openSync }
})

it('a database is read on a read-only file system, and cannot be written there', async () => {
  const path = mkdtempSync(join(tmpdir(), 'candela-read-only-'))
  try {
    const { open } = await import('lmdb')
    const written = open<string, string>({ path, encoding: 'string' })
    await written.put('key', 'value')
    await written.close()
    const database = openDatabase<string, string>({ path, encoding: 'string', readOnly: true })
    expect(database.get('key')).toBe('value')
    await database.close()
    expect(() => openDatabase({ path })).toThrow('EROFS')
  } finally {
    rmSync(path, { recursive: true })
  }
})
