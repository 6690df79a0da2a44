import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { hashOf } from '../../../src/contract/account.js'
import { issueKey } from '../../../src/contract/accounts.js'
import type { Store } from '../../../src/contract/storage/stores.js'
import { openEmbedded } from '../../../src/store/embedded/embedded.js'
import { sourceFiles } from '../../support/source-code.js'

/** Another process. It reads the path of a directory, and is then within a transaction of its databases for seconds. */
const holder = spawn(
  process.execPath,
  [
    '-e',
    `const { existsSync } = require('node:fs')
    const { open } = require('lmdb')
    const cell = new Int32Array(new SharedArrayBuffer(4))
    process.stdin.on('data', directory => {
      const [accounts, alerts] = ['accounts', 'alerts'].map(name =>
        open({ path: directory + '/' + name, encoding: 'string', overlappingSync: false }))
      accounts.transactionSync(() => alerts.transactionSync(() => {
        process.stdout.write('held')
        for (let i = 0; i < 500 && !existsSync(directory + '/released'); i++) Atomics.wait(cell, 0, 0, 10)
      }))
    })`,
  ],
  { stdio: ['pipe', 'pipe', 'inherit'] },
)
afterAll(() => void holder.kill('SIGKILL'))

/** Has the other process write, as a commit does that waits for the disk. The function returned has it end. */
async function holdWrites(directory: string): Promise<() => void> {
  holder.stdin.write(directory)
  await once(holder.stdout, 'data')
  return () => writeFileSync(join(directory, 'released'), '')
}

const account = {
  ...({ id: '00000000', name: 'me', plan: 'pro', created: 1 } as const),
  ...{ requests: 1, constructs: 1, subscriptions: 1 },
}
const hash = '0'.repeat(64)
const list = { account: account.id, name: 'mine', text: '[]' }
const alert = { id: 'a1', account: account.id, text: '{}' }
const due = { number: 1, account: account.id, text: '{}' }
const history = { fired: undefined, due: [], dead: [] }

const writes: Readonly<Record<string, (store: Store, id: string) => Promise<unknown>>> = {
  'accounts.add': ({ accounts }) => accounts.add(hash, account),
  'accounts.addFirst': ({ accounts }) => accounts.addFirst(hash, account),
  'accounts.change': ({ accounts }, id) => accounts.change(id, before => ({ ...before, name: 'you' })),
  'accounts.restore': ({ accounts }) => accounts.restore([{ hash: hashOf('x'), text: '{}' }]),
  'lists.put': ({ lists }) => lists.put(list, 10),
  'lists.remove': ({ lists }) => lists.remove(account.id, 'other'),
  'usage.add': ({ usage }) => usage.add('2026-01-01', new Map([[account.id, { rsi: 1 }]])),
  'alerts.add': ({ alerts }) => alerts.add([alert], { perAccount: 9, total: 9 }),
  'alerts.replace': ({ alerts }) => alerts.replace([alert]),
  'alerts.remove': ({ alerts }) => alerts.remove(account.id, ['a1']),
  'alerts.commit': ({ alerts }) => alerts.commit({ checkpoints: new Map([['m', 1]]), fires: [] }),
  'alerts.forget': ({ alerts }) => alerts.forget(['m']),
  'alerts.acknowledge': ({ alerts }) => alerts.acknowledge([due]),
  'alerts.deadLetter': ({ alerts }) => alerts.deadLetter(due, '{}'),
  'alerts.restore': ({ alerts }) => alerts.restore(alert, history),
}

it.each(Object.entries(writes))(
  '%s leaves the event loop while a commit waits for the disk',
  async (_, write) => {
    const directory = mkdtempSync(join(tmpdir(), 'candela-held-'))
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    const store = openEmbedded(directory)
    const { account: first } = await issueKey(store.accounts, { name: 'me', plan: 'pro' }, 1)
    const release = await holdWrites(directory)
    let isWritten = false
    const written = write(store, first.id).finally(() => {
      isWritten = true
    })
    for (let turns = 0; turns < 1000; turns++) await turn()
    expect(isWritten, 'it waits for the transaction of the other process').toBe(false)
    release()
    await written
    await store.close()
  },
)

it('commits that wait for the disk are made at a start only, and of candles', () => {
  const waiting = /\b(transactionSync|putSync|removeSync|fsyncSync|fdatasyncSync)\b/
  const found = sourceFiles('src').filter(({ text }) => waiting.test(text))
  expect(found.map(({ path }) => path).sort()).toEqual([
    // Before a database is created.
    'src/store/embedded/disk-space.ts',
    'src/store/embedded/embedded-key-values.ts',
    'src/store/embedded/embedded.ts',
    // Commands that copy or replace a directory, and the start after one that was killed.
    'src/store/embedded/replacement.ts',
    // Its file is never flushed.
    'src/store/process/counter-table.ts',
  ])
})
