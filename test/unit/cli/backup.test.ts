import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { claimDirectory, openEmbedded } from '../../../src/store/embedded/embedded.js'
import { runCommand } from '../../support/command-line.js'

let directory: string
const at = (name: string) => join(directory, name)
const candela = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  runCommand(words, { DATA_DIR: at('data'), ...environment })
const names = async () => {
  const { out } = await candela(['keys', 'list', '--json'])
  return JSON.parse(out).map(({ name }: { name: string }) => name)
}
const createKey = (name: string) => candela(['keys', 'create', '--plan', 'pro', '--name', name])

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'candela-backup-'))
  mkdirSync(at('data'))
  await createKey('before')
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

it('a backup is put in the place of what is there, which is moved aside', async () => {
  expect(await candela(['backup', at('copy')])).toMatchObject({ code: 0, err: '' })
  expect(readdirSync(directory)).toEqual(['copy', 'data'])
  await createKey('after')

  const refused = await candela(['restore', at('copy')])
  expect(refused).toMatchObject({ code: 1, out: '' })
  expect(refused.err).toBe(`candela: "${at('data')}" has data already; --force moves them aside\n`)
  expect(await names()).toEqual(expect.arrayContaining(['before', 'after']))

  const { code, out } = await candela(['restore', at('copy'), '--force', '--json'])
  expect(code).toBe(0)
  expect(await names()).toEqual(['before'])
  const { out: set } = await candela(['keys', 'list', '--json'], { DATA_DIR: JSON.parse(out).replaced })
  expect(JSON.parse(set)).toHaveLength(2)
})

it('a backup is put where nothing is, with the named lists', async () => {
  const list = { account: 'a', name: 'majors', text: '["BTCUSDT"]' }
  const store = openEmbedded(at('data'))
  await store.lists.put(list, 1)
  await store.close()
  await candela(['backup', at('copy')])
  rmSync(at('data'), { recursive: true })
  expect(await candela(['restore', at('copy')])).toMatchObject({ code: 0, err: '' })
  expect(await names()).toEqual(['before'])
  const restored = openEmbedded(at('data'))
  expect(await restored.lists.list()).toEqual([list])
  await restored.close()
})

it('a backup replaces nothing, and one that was not finished is none', async () => {
  mkdirSync(at('copy'))
  expect((await candela(['backup', at('copy')])).err).toBe(`candela: "${at('copy')}" exists already\n`)
  const { code, err } = await candela(['restore', at('copy')])
  expect([code, err]).toEqual([1, `candela: "${at('copy')}" is no backup: it lacks databases or their id\n`])
  expect(await names()).toEqual(['before'])
})

it('nothing is restored while a service uses the directory', async () => {
  await candela(['backup', at('copy')])
  const lock = claimDirectory(at('data'))
  try {
    const { code, err } = await candela(['restore', at('copy'), '--force'])
    expect(code).toBe(1)
    expect(err).toContain(`Cannot restore into "${at('data')}": it is in use by the Candela service`)
    expect(await names()).toEqual(['before'])
  } finally {
    lock.release()
  }
})

it('a shared store has backups of its own', async () => {
  const { code, err } = await candela(['backup', at('copy')], { STORE: 'redis://127.0.0.1:1' })
  expect(code).toBe(1)
  expect(err).toContain('STORE is a shared store')
})

it.each([
  ['backup', ['backup', 'copy']],
  ['keys create', ['keys', 'create', '--plan', 'pro']],
  ['keys list', ['keys', 'list']],
  ['export', ['export', 'kraken', 'BTC/USD', '1h']],
])('%s makes no data directory in passing', async (_, words) => {
  const missing = at('elsewhere')
  const { code, err } = await candela(words, { DATA_DIR: missing })
  expect(code).toBe(1)
  expect(err).toContain(`There is no data directory "${missing}"`)
  expect(existsSync(missing)).toBe(false)
})
