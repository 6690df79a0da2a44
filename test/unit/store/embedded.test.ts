import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { open } from 'lmdb'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hashOf, idOf } from '../../../src/contract/account.js'
import { issueKey, revokeKey } from '../../../src/contract/accounts.js'
import { CorruptAccount, StoreFailure } from '../../../src/contract/storage/stores.js'
import { openEmbedded } from '../../../src/store/embedded/embedded.js'
import {
  DatabaseLock,
  databaseByte,
  identityOf,
  isRunning,
  openLock,
} from '../../../src/store/embedded/lock.js'

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

/** Takes the id of the directory out of databases. */
async function removeIds(...names: string[]): Promise<void> {
  for (const name of names) {
    const raw = open<string, string>({ path: join(directory, name), encoding: 'string' })
    await raw.remove('~installation')
    await raw.close()
  }
}
const databases = ['accounts', 'alerts', 'candles']

test.each([
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
    expect(raw.get('~installation'), name).toBe(`${id} 3`)
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
  await expect(revokeKey(store.accounts, id, 1)).rejects.toThrow(CorruptAccount)
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

describe('the file of a database', () => {
  let file: number
  const locks = createRequire(import.meta.url)('fs-native-extensions')
  const openFile = () => {
    file = openSync(join(directory, 'alerts', 'data.mdb'), 'r+')
  }
  afterEach(() => closeSync(file))

  /** Whether another process could take the lock of the file now. */
  function isFree(shared: boolean): boolean {
    if (!locks.tryLock(file, databaseByte, 1, { shared })) return false
    locks.unlock(file, databaseByte, 1)
    return true
  }

  test('is opened by no other process until all writes have ended, and other processes may write', async () => {
    const store = openEmbedded(directory)
    openFile()
    expect(isFree(false)).toBe(true)
    const writes = ['a', 'b'].map(key => store.alertRows.write(new Map([[key, '']])))
    expect([isFree(false), isFree(true)]).toEqual([false, true])
    await Promise.all(writes)
    expect(isFree(false)).toBe(true)
    await store.close()
  })

  test('is written by no other process while it is opened or closed', async () => {
    const store = openEmbedded(directory)
    openFile()
    const lock = DatabaseLock.of(join(directory, 'alerts', 'data.mdb'), false)
    expect(lock.alone(() => isFree(true))).toBe(false)
    expect(isFree(true)).toBe(true)
    lock.beginWrite()
    expect(
      lock.alone(() => isFree(true)),
      'a thread that writes has the database open',
    ).toBe(true)
    lock.endWrite()
    expect(isFree(false)).toBe(true)
    lock.close()
    await store.close()
  })
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

describe('a lock that another process has', () => {
  /** Locks a file as a service does, reports the lock on standard output, and keeps it. */
  const program = `
    import { openLock } from ${JSON.stringify(new URL('../../../dist/store/embedded/lock.js', import.meta.url).href)}
    try {
      openLock(process.argv[1]).claim()
      console.log('locked')
      setInterval(() => {}, 1000)
    } catch (error) {
      console.log(error.message)
    }`
  const args = () => ['--input-type=module', '-e', program, join(directory, 'service.lock')]
  /** Runs the program with process ids of its own, as in a container. */
  const isolated = ['--pid', '--fork', '--kill-child', '--mount-proc', process.execPath]
  const canIsolate = isLinux && spawnSync('unshare', [...isolated, '--version']).status === 0
  const linesOf = async (child: ChildProcess) =>
    String((await once(child.stdout as Readable, 'data'))[0]).trim()

  const isOpened = (holder: ChildProcess, end: () => void) =>
    expect
      .poll(
        () => {
          if (!holder.killed) end()
          try {
            const lock = openLock(join(directory, 'service.lock'))
            lock.claim()
            lock.release()
            return 'opened'
          } catch (error) {
            return (error as Error).message
          }
        },
        { timeout: 10_000 },
      )
      .toBe('opened')

  test('is respected, and ends with the process', async () => {
    const holder = spawn(process.execPath, args(), { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      expect(await linesOf(holder)).toBe('locked')
      expect(() => openLock(join(directory, 'service.lock'))).toThrow(
        new Error(`it is in use by the Candela service with process id ${holder.pid}`),
      )
      await isOpened(holder, () => holder.kill('SIGKILL'))
    } finally {
      holder.kill('SIGKILL')
    }
  })

  // Where unshare is not permitted, as in most containers, there are no process ids of its own to test with.
  test.runIf(canIsolate)(
    'is respected where both have process ids of their own, and ends with the process',
    async () => {
      const start = () => spawn('unshare', [...isolated, ...args()], { stdio: ['ignore', 'pipe', 'inherit'] })
      const holder = start()
      const others: ChildProcess[] = []
      try {
        expect(await linesOf(holder)).toBe('locked')
        expect(readFileSync(join(directory, 'service.lock'), 'utf8')).toMatch(/^1-/)
        for (const _ of [1, 2]) {
          const other = start()
          others.push(other)
          expect(await linesOf(other)).toBe(
            'it is in use by the Candela service with process id 1 of another container',
          )
        }
        await isOpened(holder, () => holder.kill('SIGKILL'))
      } finally {
        for (const each of [holder, ...others]) each.kill('SIGKILL')
      }
    },
  )

  test('is not taken with the file that its owner has removed', async () => {
    const path = join(directory, 'service.lock')
    const first = openLock(path)
    first.claim()
    // As a process that has opened the file before it was removed.
    let isFirstTry = true
    const second = openLock(path, {
      tryLock: () => {
        if (isFirstTry) first.release()
        isFirstTry = false
        return true
      },
    })
    second.claim()
    expect(readFileSync(path, 'utf8')).toBe(identityOf(process.pid))
    second.release()
    expect(existsSync(path)).toBe(false)
  })
})

describe.each([
  ['a system without locks of files', 'ENOSYS'],
  ['a file system without locks', 'ENOLCK'],
])('on %s', (_, code) => {
  const none = {
    tryLock() {
      throw Object.assign(new Error('none'), { code })
    },
  }

  test('a lock that does not say when its process was started is respected, and can be removed', () => {
    const path = join(directory, 'service.lock')
    writeFileSync(path, String(process.ppid))
    const lock = openLock(path, none)
    expect(() => lock.claim()).toThrow(
      `process id ${process.ppid} (if that is another program, remove "${path}")`,
    )
    lock.release()
    expect(readFileSync(path, 'utf8')).toBe(String(process.ppid))
  })

  test('a running process is respected, and one that has ended is replaced', () => {
    const path = join(directory, 'service.lock')
    const first = openLock(path, none)
    first.claim()
    expect(() => openLock(path, none).claim()).toThrow(`process id ${process.pid}`)
    first.release()
    openLock(path, none).claim()
  })
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
