import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createAlert, readAlert, writeAlert } from '../../src/alerts/alert.js'
import { readDelivery, writeDelivery } from '../../src/alerts/deliveries.js'
import type { Candle } from '../../src/candles/candle.js'
import { hashOf } from '../../src/contract/account.js'
import { issueKey, rotateKey } from '../../src/contract/accounts.js'
import { Archive } from '../../src/markets/archive/archive.js'
import { DatabaseFile } from '../../src/store/embedded/database-file.js'
import { openEmbedded } from '../../src/store/embedded/embedded.js'
import { listSeries } from '../support/archived-series.js'
import { runCommand } from '../support/command-line.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cli = 'dist/cli/candela.js'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Runs a command line in a shell. */
function sh(command: string) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command], {
    cwd: root,
    env: { ...process.env, DATA_DIR: directory, PORT: '0' },
    encoding: 'utf8',
    timeout: 20_000,
  })
  return { status, stdout, stderr }
}
/** Runs a command in this process. */
const candela = async (args: string) => {
  const { code, out, err } = await runCommand(args.split(' '), { DATA_DIR: directory })
  return { status: code, stdout: out, stderr: err }
}

/** Position of the root of an LMDB file, as a share of the file. The root is the main root of the later meta page. */
function placeOfRoot(file: string): number {
  const bytes = readFileSync(file)
  const pageSize = bytes.readUInt32LE(48)
  const [last] = [0, pageSize]
    .map(at => ({
      transaction: bytes.readBigUInt64LE(at + 152),
      root: Number(bytes.readBigUInt64LE(at + 136)),
    }))
    .sort((a, b) => Number(b.transaction - a.transaction))
  return ((last?.root ?? 0) * pageSize) / bytes.byteLength
}

/** Whether an LMDB file lacks entries. A cut may also remove free pages only, or the list of free pages. */
function lacksEntries(path: string): boolean {
  const file = new DatabaseFile(path)
  try {
    return [...file.entries()].some(entry => entry === 'lost' || entry.value === undefined)
  } finally {
    file.close()
  }
}

/** Cuts a file as little as it takes to lose something that it contains. */
function cutShort(file: string): void {
  const { size } = statSync(file)
  const whole = `${file}.whole`
  copyFileSync(file, whole)
  for (let share = 0.98; !lacksEntries(file); share -= 0.02) {
    copyFileSync(whole, file)
    truncateSync(file, Math.floor(size * share))
  }
  rmSync(whole)
}

const candle = (i: number): Candle => ({
  timestamp: i * 60,
  open: 100 + i,
  high: 103 + i,
  low: 98 + i,
  close: 101,
  volume: 10,
})

/** Fields with which a client requests an alert. */
const asked = {
  expression: 'close > 1',
  on: 'close',
  trigger: 'level',
  name: undefined,
  markets: [{ exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' }],
  screen: undefined,
} as const

it.skipIf(process.platform === 'win32')(
  'a first start without room for its files is refused in one line',
  async () => {
    for (const program of ['dist/main.js', `${cli} keys list`]) {
      const { status, stderr } = sh(`ulimit -c 0; ulimit -f 8; node ${program}`)
      expect(status, program).toBe(1)
      expect(stderr).toMatch(
        /^candela: Cannot open the data directory ".*": a file of 256 KiB cannot be written .*\n$/,
      )
    }
    expect((await candela('keys list')).status, 'with room it works').toBe(0)
  },
)

it.skipIf(process.platform === 'win32')(
  'a command whose output cannot be written says so in one line',
  () => {
    const { status, stderr } = sh(`node ${cli} indicators > /dev/full`)
    expect(status).toBe(1)
    expect(stderr).toMatch(/^candela: Cannot write to standard output: .*\n$/)
  },
)

it('keys that took the place of others, and the usage of keys, outlive a repair', async () => {
  const store = openEmbedded(directory)
  const { account } = await issueKey(store.accounts, { name: 'me', plan: 'pro' }, 1)
  const rotated = await rotateKey(store.accounts, account.id, 60, 100)
  await store.usage.add('2026-01-31', new Map([[account.id, { bulk: 3 }]]))
  // Entries that are whole for the databases, but mean nothing.
  await store.accounts.restore([{ hash: 'f'.repeat(64), text: 'nonsense' }])
  await store.alerts.add([{ id: 'alert_x', account: 'a', text: 'nonsense' }], { perAccount: 9, total: 9 })
  await store.close()
  const { stdout } = await candela('repair')
  expect(stdout).toMatch(/^accounts: 1 account kept, others are lost/m)
  expect(stdout).toMatch(/^alerts: 0 alerts kept, others/m)
  const repaired = openEmbedded(directory)
  expect(await repaired.accounts.find(hashOf(rotated?.key ?? ''))).toEqual(rotated?.account)
  expect(await repaired.usage.ofDay('2026-01-31')).toEqual(new Map([[account.id, { bulk: 3 }]]))
  await repaired.close()
})

it('alerts that are damaged are kept as far as they can be read, with what they have fired and the lists beside them', async () => {
  const store = openEmbedded(directory)
  const bounds = { perAccount: 1000, total: 1000 }
  const file = join(directory, 'alerts', 'data.mdb')
  // Without its root nothing could be read of the file that is cut.
  for (let k = 0; k < 200 || placeOfRoot(file) > 0.6; k++) {
    const [alert] = createAlert('a', asked, 1000)
    await store.alerts.add([writeAlert(alert)], bounds)
    await store.lists.put({ account: `a${k}`, name: 'mine', text: JSON.stringify([`S${k}`]) }, 1)
    const text = writeDelivery({ alert: alert.id, id: `${alert.id}:60`, created: 1, body: '{}' })
    const fire = { alert: alert.id, account: 'a', candle: 60, text, isDead: false }
    await store.alerts.commit({ checkpoints: new Map([['demo:BTCUSDT:1m', 60 + k]]), fires: [fire] })
  }
  await store.close()
  expect((await candela('repair')).stdout).toMatch(/is sound/)

  cutShort(file)
  expect((await candela('keys list')).stderr).toMatch(/is cut short or damaged; "candela repair"/)
  const repaired = await candela('repair')
  expect(repaired).toMatchObject({ status: 0, stderr: '' })
  const [, count, listed] =
    /^alerts: (\d+) alerts? and (\d+) lists? kept, others, or messages of them, may be lost\./.exec(
      repaired.stdout,
    ) as RegExpExecArray
  expect(Number(count)).toBeGreaterThan(20)
  expect((await candela('repair')).stdout, 'it is sound then').toMatch(/is sound/)

  const again = openEmbedded(directory)
  const { alerts, due } = await again.alerts.state()
  const lists = await again.lists.list()
  await again.close()
  expect(lists).toHaveLength(Number(listed))
  expect(lists.length).toBeGreaterThan(20)
  for (const { account, name, text } of lists)
    expect([name, text]).toEqual(['mine', JSON.stringify([`S${account.slice(1)}`])])
  expect(alerts).toHaveLength(Number(count))
  const ids = alerts.map(alert => readAlert(alert).id)
  // A message whose alert is lost is kept too, and is settled unsent.
  expect(due.filter(each => ids.includes(readDelivery(each).alert)).length).toBeGreaterThan(0)

  // One that is whole for the database, but means nothing.
  const other = openEmbedded(directory)
  await other.alerts.add([{ id: 'alert_x', account: 'a', text: 'nonsense' }], bounds)
  await other.close()
  expect((await candela('repair')).stdout).toMatch(
    new RegExp(`^alerts: ${count} alerts? and ${listed} lists? kept, others`),
  )
})

/** A data directory with a key, an alert and candles. */
async function fill(path: string): Promise<void> {
  const store = openEmbedded(path)
  await issueKey(store.accounts, { name: 'me', plan: 'pro' }, 1)
  const [alert] = createAlert('a', asked, 1000)
  await store.alerts.add([writeAlert(alert)], { perAccount: 9, total: 9 })
  new Archive(store.keyValues, { depth: 2000 }).write('demo:A:1m', [candle(0)])
  await store.close()
}

const databases = ['accounts', 'alerts', 'candles'] as const
const optionsFor = (isUsual: boolean) => (isUsual ? {} : { tags: ['faults'] })

for (const name of databases)
  it(
    `a small database of ${name} that is cut to its first pages is refused in one line, and repaired`,
    optionsFor(name === 'alerts'),
    async () => {
      for (const size of [2048, 4096, 8192]) {
        rmSync(directory, { recursive: true })
        await fill(directory)
        truncateSync(join(directory, name, 'data.mdb'), size)
        const refused = await candela('keys list')
        expect(refused.status, `${size} bytes`).toBe(1)
        expect(refused.stderr).toMatch(
          /^candela: Cannot open the data directory ".*" is cut short or damaged; "candela repair" keeps what can be read of it\n$/,
        )
        const repaired = await candela('repair')
        expect(repaired).toMatchObject({ status: 0, stderr: '' })
        expect(repaired.stdout).toMatch(
          new RegExp(`^${name}: (0 accounts|0 alerts|0 chunks of 0 series) kept`),
        )
        expect(repaired.stdout).not.toContain('none is lost')
        expect((await candela('repair')).stdout, 'it is sound then').toMatch(/is sound/)
      }
    },
  )

/** Damages of a database, with the error message of each. */
const replacements: readonly [what: string, reason: string, replace: (name: string) => void][] = [
  ['is empty', 'is missing or empty', name => truncateSync(join(directory, name, 'data.mdb'), 0)],
  ['is missing', 'is missing or empty', name => rmSync(join(directory, name), { recursive: true })],
  [
    'is of another directory',
    'belongs to another data directory',
    name => cpSync(join(directory, 'other', name), join(directory, name), { recursive: true }),
  ],
]

for (const name of databases)
  for (const [what, reason, replace] of replacements)
    it(
      `a database of ${name} that ${what} is refused in one line, until that is confirmed`,
      optionsFor(name === 'alerts' && what === 'is missing'),
      async () => {
        await fill(directory)
        await fill(join(directory, 'other'))
        replace(name)
        for (const outcome of [sh('node dist/main.js'), await candela('keys list'), await candela('repair')])
          expect(outcome).toEqual({
            status: 1,
            stdout: '',
            stderr: `candela: Cannot open the data directory "${directory}": the database "${name}" ${reason}: restore a backup, or run "candela store confirm" where it is meant to be as it is\n`,
          })
        const confirmed = await candela('store confirm --json')
        expect(confirmed).toMatchObject({ status: 0, stderr: '' })
        const isGone = what !== 'is of another directory'
        expect(JSON.parse(confirmed.stdout)).toEqual({
          accounts: isGone && name === 'accounts' ? 0 : 1,
          alerts: isGone && name === 'alerts' ? 0 : 1,
        })
        expect((await candela('repair')).stdout).toMatch(/is sound/)
      },
    )

it('a data directory that is cut short is refused, and repaired with what can be read', async () => {
  const store = openEmbedded(directory)
  for (let k = 0; k < 100; k++) await issueKey(store.accounts, { name: `${k}`, plan: 'pro' }, 1)
  const archive = new Archive(store.keyValues, { depth: 2000 })
  for (const symbol of ['A', 'B', 'C'])
    archive.write(
      `demo:${symbol}:1m`,
      Array.from({ length: 2000 }, (_, i) => candle(i)),
    )
  await store.close()
  expect((await candela('repair')).stdout).toMatch(/^".*" is sound\.\n$/)

  for (const name of ['accounts', 'candles']) {
    const file = join(directory, name, 'data.mdb')
    truncateSync(file, Math.floor(statSync(file).size * 0.7))
  }
  for (const program of ['dist/main.js', `${cli} keys list`]) {
    const { status, stderr } = sh(`node ${program}`)
    expect(status, program).toBe(1)
    expect(stderr).toMatch(
      /^candela: Cannot open the data directory ".*" is cut short or damaged; "candela repair"/,
    )
    expect(stderr.split('\n')).toHaveLength(2)
  }

  const repaired = await candela('repair')
  expect(repaired).toMatchObject({ status: 0, stderr: '' })
  expect(repaired.stdout).toMatch(/^accounts: \d+ accounts? kept, .*\ncandles: \d+ chunks? of \d series kept/)
  const [aside, ...others] = readdirSync(directory).filter(entry => entry.startsWith('damaged-'))
  expect(others).toEqual([])
  expect(readdirSync(join(directory, aside as string)).sort()).toEqual(['accounts', 'candles'])
  expect((await candela('keys list')).status).toBe(0)
  expect((await candela('repair')).stdout, 'it is sound then').toMatch(/is sound/)
  const again = openEmbedded(directory)
  const kept = listSeries(new Archive(again.keyValues, { depth: 2000 }))
  for (const { last, first, count } of kept) expect(count).toBe((last - first) / 60 + 1)
  await again.close()
})
