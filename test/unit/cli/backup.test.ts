import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
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

it.each(['copy', 'copy.tar.gz'])(
  'a backup %s is put in the place of what is there, which is moved aside',
  async name => {
    expect(await candela(['backup', at(name)])).toMatchObject({ code: 0, err: '' })
    expect(readdirSync(directory)).toEqual([name, 'data'])
    await createKey('after')

    const refused = await candela(['restore', at(name)])
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toBe(`candela: "${at('data')}" has data already; --force moves them aside\n`)
    expect(await names()).toEqual(expect.arrayContaining(['before', 'after']))

    const { code, out } = await candela(['restore', at(name), '--force', '--json'])
    expect(code).toBe(0)
    expect(await names()).toEqual(['before'])
    const { out: set } = await candela(['keys', 'list', '--json'], { DATA_DIR: JSON.parse(out).replaced })
    expect(JSON.parse(set)).toHaveLength(2)
  },
)

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

it('a file that is a backup is read by any program for such files, and its owner alone may read it', async () => {
  await candela(['backup', at('copy.tgz')])
  expect(statSync(at('copy.tgz')).mode & 0o777).toBe(0o600)
  const names = execFileSync('tar', ['-tzf', at('copy.tgz')], { encoding: 'utf8' })
  expect(names.trim().split('\n').sort()).toEqual([
    'accounts/data.mdb',
    'alerts/data.mdb',
    'candles/data.mdb',
    'installation',
  ])
})

it.each<readonly [string, (whole: Buffer) => Buffer, RegExp]>([
  ['is cut short', whole => whole.subarray(0, whole.length - 9), /cannot be read as a backup: /],
  [
    'has a changed byte',
    whole => whole.with(whole.length >> 1, (whole[whole.length >> 1] as number) ^ 255) as Buffer,
    /cannot be read as a backup: /,
  ],
  ['is something else', () => Buffer.from('timestamp,open\n'), /is no backup|cannot be read as a backup: /],
])('a file that %s changes nothing', async (_, change, words) => {
  await candela(['backup', at('copy.tgz')])
  writeFileSync(at('copy.tgz'), change(readFileSync(at('copy.tgz'))))
  const { code, err } = await candela(['restore', at('copy.tgz'), '--force'])
  expect([code, err]).toEqual([1, expect.stringMatching(words)])
  expect(await names()).toEqual(['before'])
  expect(readdirSync(at('data')).filter(name => /^(preparing|replac)/.test(name))).toEqual([])
  const elsewhere = { DATA_DIR: at('elsewhere') }
  expect((await candela(['restore', at('copy.tgz')], elsewhere)).code).toBe(1)
  expect(existsSync(at('elsewhere'))).toBe(false)
})

it('a file cannot put anything but databases into the directory', async () => {
  mkdirSync(at('evil/accounts'), { recursive: true })
  writeFileSync(at('evil/service.js'), 'x')
  symlinkSync(at('outside'), at('evil/accounts/data.mdb'))
  execFileSync('tar', ['-czf', at('copy.tgz'), '-C', at('evil'), 'accounts', 'service.js'])
  const { code, err } = await candela(['restore', at('copy.tgz'), '--force'])
  expect([code, err]).toEqual([
    1,
    `candela: "${at('copy.tgz')}" is no backup: it lacks databases or their id\n`,
  ])
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
  ['keys revoke', ['keys', 'revoke', 'cnd_x']],
  ['export', ['export', 'kraken', 'BTC/USD', '1h']],
  [
    'import',
    ['import', 'examples/candles.csv', '--exchange', 'kraken', '--symbol', 'BTC/USD', '--timeframe', '1h'],
  ],
  ['backfill', ['backfill', 'demo', 'BTCUSDT', '1h', '--depth', '100']],
  ['repair', ['repair']],
  ['store confirm', ['store', 'confirm']],
])('%s makes no data directory in passing', async (_, words) => {
  const missing = at('elsewhere')
  const { code, err } = await candela(words, { DATA_DIR: missing })
  expect([code, err]).toEqual([1, expect.any(String)])
  expect(err).toContain(`There is no data directory "${missing}"`)
  expect(existsSync(missing)).toBe(false)
})
