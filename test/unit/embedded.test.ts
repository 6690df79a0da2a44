import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEmbedded } from '../../src/store/embedded.js'
import { hashOf, idOf, issueKey } from '../../src/store/key.js'
import { identityOf, isRunning } from '../../src/store/process-identity.js'
import { CorruptAccount, StoreFailure } from '../../src/store/store.js'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const modeOf = (path: string) => statSync(path).mode & 0o777

test.skipIf(process.platform === 'win32')(
  'a missing data directory is created for its owner alone',
  async () => {
    const path = join(directory, 'a', 'b')
    await openEmbedded(path).close()
    expect(existsSync(path)).toBe(true)
    expect([modeOf(path), modeOf(join(path, 'accounts'))]).toEqual([0o700, 0o700])
  },
)

test('neither a key nor its random part is on the disk', async () => {
  const store = openEmbedded(directory)
  const { key } = await issueKey(store.accounts, { name: 'me', plan: 'pro' }, 1)
  await store.close()
  const files = readdirSync(join(directory, 'accounts')).map(name =>
    readFileSync(join(directory, 'accounts', name)),
  )
  expect(
    files.some(bytes => bytes.includes(hashOf(key))),
    'the hash is the record',
  ).toBe(true)
  expect(files.some(bytes => bytes.includes(key.slice(4)))).toBe(false)
})

test('a directory that cannot be opened is named with the reason', () => {
  const file = join(directory, 'file')
  writeFileSync(file, 'not a directory')
  expect(() => openEmbedded(file)).toThrow(StoreFailure)
  expect(() => openEmbedded(file)).toThrow(/^Cannot open the data directory ".*file": .*/)
})

test.each([
  ['short', Buffer.from('hello')],
  ['long', Buffer.alloc(20_000, 7)],
])('a %s file that LMDB did not write is refused', (_, bytes) => {
  mkdirSync(join(directory, 'accounts'))
  writeFileSync(join(directory, 'accounts', 'data.mdb'), bytes)
  expect(() => openEmbedded(directory)).toThrow(/data\.mdb" is not an LMDB file$/)
})

test('an empty file is one that LMDB has not written yet', async () => {
  mkdirSync(join(directory, 'accounts'))
  writeFileSync(join(directory, 'accounts', 'data.mdb'), '')
  const store = openEmbedded(directory)
  expect(await store.accounts.isEmpty()).toBe(true)
  await store.close()
})

/** Takes the id of the directory out of databases, as if an earlier version had written them. */
async function removeIds(...names: string[]): Promise<void> {
  for (const name of names) {
    const raw = open<string, string>({ path: join(directory, name), encoding: 'string' })
    await raw.remove('~installation')
    await raw.close()
  }
}
const databases = ['accounts', 'alerts', 'candles']

test.each([
  ['of an earlier version', [...databases, 'installation']],
  ['whose first start was cut off before the alerts', ['alerts', 'candles', 'installation']],
  ['whose first start was cut off before the file', ['installation']],
])('a directory %s is given an id without a word', async (_, lacking) => {
  const store = openEmbedded(directory)
  const { account } = await issueKey(store.accounts, { name: 'me', plan: 'pro' }, 1)
  await store.close()
  await removeIds(...lacking.filter(name => name !== 'installation'))
  rmSync(join(directory, 'installation'))
  const again = openEmbedded(directory)
  expect((await again.accounts.list()).accounts).toEqual([account])
  expect(await again.accounts.entries(), 'the id is no account').toHaveLength(1)
  await again.close()

  const id = readFileSync(join(directory, 'installation'), 'utf8').trim()
  expect(id).not.toBe('')
  for (const name of databases) {
    const raw = open<string, string>({ path: join(directory, name), encoding: 'string' })
    expect(raw.get('~installation'), name).toBe(id)
    await raw.close()
  }
})

test('without accounts a directory with an id counts as empty', async () => {
  await openEmbedded(directory).close()
  const store = openEmbedded(directory)
  expect(await store.accounts.isEmpty()).toBe(true)
  await store.close()
})

test('a directory is refused as long as one of its databases is missing', async () => {
  await openEmbedded(directory).close()
  await removeIds('accounts')
  for (const _ of [1, 2])
    expect(() => openEmbedded(directory)).toThrow(/: the database "accounts" is missing or empty: restore/)
  await openEmbedded(directory, { anew: ['accounts'] }).close()
  await openEmbedded(directory).close()
})

test.each([
  ['no JSON', '{"name":'],
  ['no object', '[]'],
  ['an unknown plan', '{"name":"x","plan":"gold","requests":1,"constructs":1,"subscriptions":1,"created":1}'],
  [
    'a bound below one',
    '{"name":"x","plan":"pro","requests":0,"constructs":1,"subscriptions":1,"created":1}',
  ],
  [
    'an unknown field',
    '{"name":"x","plan":"pro","requests":1,"constructs":1,"subscriptions":1,"created":1,"x":1}',
  ],
])('a record with %s is an error of its own account only', async (_, text) => {
  const hash = hashOf('cnd_corrupt')
  const raw = open<string, string>({ path: join(directory, 'accounts'), encoding: 'string' })
  await raw.put(hash, text)
  await raw.close()

  const store = openEmbedded(directory)
  const { account } = await issueKey(store.accounts, { name: 'me', plan: 'pro' }, 1)
  const id = idOf(hash)
  expect(() => store.accounts.find(hash)).toThrow(CorruptAccount)
  expect(() => store.accounts.find(hash)).toThrow(`The record of account ${id} is corrupt`)
  await expect(store.accounts.revoke(id, 1)).rejects.toThrow(CorruptAccount)
  const { accounts, corrupt } = await store.accounts.list()
  expect(accounts).toEqual([account])
  expect(corrupt.map(error => error.id)).toEqual([id])
  await store.close()
})

test('a directory that is in use exclusively is refused to the next process that is to use it so', async () => {
  const store = openEmbedded(directory, { exclusive: true })
  expect(() => openEmbedded(directory, { exclusive: true })).toThrow(
    new StoreFailure(
      `Cannot open the data directory "${directory}": it is in use by the Candela service with process id ${process.pid}`,
    ),
  )
  const beside = openEmbedded(directory)
  expect(await beside.accounts.isEmpty(), 'the command line works beside it').toBe(true)
  await beside.close()
  expect(() => openEmbedded(directory, { exclusive: true })).toThrow(StoreFailure)
  await store.close()
  await openEmbedded(directory, { exclusive: true }).close()
  expect(readdirSync(directory).sort()).toEqual(['accounts', 'alerts', 'candles', 'installation'])
})

const isLinux = process.platform === 'linux'

test.each([
  ['has ended', true, () => '4194304-00000000-1'],
  ['has ended, by its number alone', true, () => '4194304'],
  ['had the number of a process that was started later', isLinux, () => `${process.pid}-00000000-1`],
  ['was cut off while it wrote it', true, () => ''],
])('the lock of a process that %s is replaced', async (_, isKnown, owner) => {
  if (!isKnown) return
  const lock = join(directory, 'service.lock')
  writeFileSync(lock, owner())
  const store = openEmbedded(directory, { exclusive: true })
  expect(readFileSync(lock, 'utf8')).toBe(identityOf(process.pid))
  await store.close()
})

test('a lock that does not say when its process was started is respected, and can be removed', async () => {
  const lock = join(directory, 'service.lock')
  writeFileSync(lock, String(process.ppid))
  expect(() => openEmbedded(directory, { exclusive: true })).toThrow(
    `process id ${process.ppid} (if that is another program, remove "${lock}")`,
  )
  expect(readFileSync(lock, 'utf8')).toBe(String(process.ppid))
})

test.runIf(isLinux)('a process that has ended does not run, even before its parent notices', async () => {
  // The shell becomes a program that never asks how the child of the shell has ended.
  const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const [line] = await once(parent.stdout, 'data')
    const pid = Number(String(line).trim())
    await expect.poll(() => identityOf(pid), { timeout: 10_000 }).toBeUndefined()
    expect(() => process.kill(pid, 0), 'its number is still taken').not.toThrow()
    expect(isRunning(String(pid))).toBe(false)
    expect(isRunning(identityOf(parent.pid as number) as string)).toBe(true)
  } finally {
    parent.kill()
  }
})
