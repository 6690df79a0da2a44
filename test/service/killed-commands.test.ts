import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAlert, readAlert, writeAlert } from '../../src/alerts/alert.js'
import { issueKey } from '../../src/contract/accounts.js'
import { Archive } from '../../src/markets/archive/archive.js'
import { entriesOf, headsOf } from '../../src/markets/archive/archive-copy.js'
import { openEmbedded } from '../../src/store/embedded/embedded.js'
import { runCommand } from '../support/command-line.js'
import { isWhole, reportFigure } from '../support/figure.js'

// A command that changes a data directory is killed before each of its calls that change a file. The directory then has either
// its original contents or the contents that the command was to make. Repeating the command makes them in any case.

const root = fileURLToPath(new URL('../..', import.meta.url))
const preload = new URL('../support/kill-at-call.mjs', import.meta.url).href
/** Numbers of moments at which each command is killed: all of them by `npm run test:faults`. */
const numbersOfMoments = isWhole ? [Number.POSITIVE_INFINITY] : [2, 6]

let directory: string
const at = (name: string) => join(directory, name)

/**
 * A data directory with a key, an alert, a list, usage, and candles. The last candle is in the journal of a dead
 * process.
 */
async function fill(path: string): Promise<void> {
  const store = openEmbedded(path)
  await issueKey(store.accounts, { name: 'first', plan: 'pro' }, 1)
  const [alert] = createAlert(
    'a',
    {
      ...({ expression: 'close > 1', on: 'close', trigger: 'level', name: undefined } as const),
      screen: undefined,
      markets: [{ exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' }],
    },
    1000,
  )
  await store.alerts.add([writeAlert(alert)], { perAccount: 9, total: 9 })
  await store.lists.put({ account: 'a', name: 'mine', text: '["BTCUSDT"]' }, 1)
  await store.usage.add('2026-01-31', new Map([['a', { bulk: 3 }]]))
  const archive = new Archive(store.keyValues, { depth: 2000, journal: store.journal })
  const candles = Array.from({ length: 601 }, (_, i) => {
    const price = 100 + (i % 7)
    return { timestamp: i * 60, open: price, high: price + 1, low: price - 1, close: price, volume: i }
  })
  archive.write('demo:A:1m', candles.slice(0, -1))
  archive.enqueue('demo:A:1m', candles.slice(-1))
  await store.close()
  const [journal] = readdirSync(join(path, 'candles')).filter(name => name.endsWith('.journal'))
  renameSync(join(path, 'candles', journal as string), join(path, 'candles', '0-left.journal'))
}

/** Writes entries into each database that are valid for LMDB but have no meaning. */
async function spoil(path: string): Promise<void> {
  const store = openEmbedded(path)
  await store.accounts.restore([{ hash: 'f'.repeat(64), text: 'nonsense' }])
  await store.alerts.add([{ id: 'alert_x', account: 'a', text: 'nonsense' }], { perAccount: 9, total: 9 })
  const [head] = await headsOf(store.keyValues)
  const [, chunk] = [...entriesOf(store.keyValues, head as string).keys()]
  store.keyValues.write(() => [[chunk as string, new Uint8Array(50)]])
  await store.close()
}

const isReadable = (text: string) => {
  try {
    return readAlert({ id: '', account: '', text }) !== undefined
  } catch {
    return false
  }
}

/** Contents that a service would find in a directory; 'nothing' if it would start empty. */
async function contentsOf(path: string) {
  const copy = at('looked-at')
  rmSync(copy, { recursive: true, force: true })
  if (!existsSync(path)) return 'nothing'
  cpSync(path, copy, { recursive: true })
  const store = openEmbedded(copy)
  const archive = new Archive(store.keyValues, { depth: 2000, journal: store.journal })
  archive.recover()
  const { accounts, corrupt } = await store.accounts.list()
  const texts = (await store.alerts.list()).map(({ text }) => text)
  const closed = archive.read('demo:A:1m')?.closed
  const contents = {
    accounts: accounts.map(({ name }) => name).sort(),
    alerts: texts.filter(isReadable).length,
    unreadable: corrupt.length + texts.filter(text => !isReadable(text)).length,
    lists: (await store.lists.list()).map(({ name }) => name),
    usage: [...(await store.usage.ofDay('2026-01-31'))],
    closed,
  }
  await store.close()
  return accounts.length + corrupt.length + texts.length === 0 && closed === undefined ? 'nothing' : contents
}

/** Runs a command in a process of its own, which is killed at a call; without one, answers its calls. */
function run(words: readonly string[], data: string, killAt?: number) {
  const calls = at('calls')
  rmSync(calls, { force: true })
  const ends = killAt === undefined ? { CALLS: calls } : { KILL_AT: String(killAt) }
  const program = ['--import', preload, 'dist/cli/candela.js', ...words]
  const { status, signal, stderr } = spawnSync(process.execPath, program, {
    ...{ cwd: root, encoding: 'utf8', timeout: 60_000, env: { ...process.env, DATA_DIR: data, ...ends } },
  })
  expect([status, signal], stderr).toEqual(killAt === undefined ? [0, null] : [null, 'SIGKILL'])
  return existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []
}

/** Numbers, from 1, of the calls before which a command is killed: at most `most`, around renames and in between. */
function momentsOf(calls: readonly string[], most: number): readonly number[] {
  const all = calls.map((_, k) => k + 1)
  if (most >= all.length) return all
  const renames = all.filter(
    call => calls[call - 1]?.startsWith('rename') || calls[call - 2]?.startsWith('rename'),
  )
  const some = [...new Set([1, ...renames, ...all.filter(call => call % 10 === 0), all.length])].sort(
    (a, b) => a - b,
  )
  // The first, the last, and others in between.
  const count = Math.min(most, some.length)
  return Array.from(
    { length: count },
    (_, k) => some[Math.round((k * (some.length - 1)) / (count - 1))] as number,
  )
}

/** Expects that the renamed files are synced to disk before the deciding rename, and the folder after it. */
function expectDurable(
  calls: readonly string[],
  decides: (call: string) => boolean,
  files: readonly string[],
) {
  const deciding = calls.findIndex(decides)
  expect(deciding).toBeGreaterThan(0)
  const [, from = '', to = ''] = (calls[deciding] as string).split(' ')
  for (const file of files) expect(calls.slice(0, deciding), file).toContain(`fsyncSync ${join(from, file)}`)
  expect(calls[deciding + 1]).toBe(`fsyncSync ${join(to, '..')}`)
}

const databaseFiles = ['accounts', 'alerts', 'candles'].map(name => join(name, 'data.mdb'))
const isDecision = (call: string) => /^renameSync \S+preparing \S+replacing-/.test(call)
const data = () => at('data')
const leftovers = () => readdirSync(data()).filter(name => /^(preparing|replacing)/.test(name))

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'candela-killed-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** Replaces the data directory with a prepared directory. */
function reset(prepared: string | undefined): void {
  rmSync(data(), { recursive: true, force: true })
  if (prepared !== undefined) cpSync(at(prepared), data(), { recursive: true })
}

async function killAtEach(
  most: number,
  prepared: string | undefined,
  words: readonly string[],
  look: (call: number) => Promise<void>,
): Promise<{ readonly calls: readonly string[]; readonly moments: number }> {
  reset(prepared)
  const calls = run(words, data())
  const moments = momentsOf(calls, most)
  for (const made of ['target', 'copied', 'copied.tar.gz']) rmSync(at(made), { recursive: true, force: true })
  for (const call of moments) {
    reset(prepared)
    run(words, data(), call)
    await look(call)
  }
  return { calls, moments: moments.length }
}

const repeat = async (words: readonly string[]) =>
  expect(await runCommand(words, { DATA_DIR: data() })).toMatchObject({
    code: 0,
    err: expect.not.stringContaining('candela: '),
  })

// `npm test` kills each command at two moments.
describe.each(numbersOfMoments.map(most => ({ most, options: most === 2 ? {} : { tags: ['faults'] } })))(
  'at $most moments',
  ({ most, options }) => {
    /** A folder, and a file where the command is killed at more moments. */
    const forms = (name: string) => (most === 2 ? [name] : [name, `${name}.tar.gz`])

    it('repair that is killed keeps the damaged databases or the new ones', {
      timeout: 600_000,
      ...options,
    }, async context => {
      await fill(at('damaged'))
      await spoil(at('damaged'))
      const before = await contentsOf(at('damaged'))
      reset('damaged')
      await repeat(['repair'])
      const after = await contentsOf(data())
      expect(after).toMatchObject({ accounts: ['first'], alerts: 1, unreadable: 0, lists: ['mine'] })
      expect(before).not.toEqual(after)
      const seen = { before: 0, after: 0 }
      const { calls, moments } = await killAtEach(most, 'damaged', ['repair'], async call => {
        const found = await contentsOf(data())
        expect([before, after], `killed at call ${call}`).toContainEqual(found)
        seen[JSON.stringify(found) === JSON.stringify(after) ? 'after' : 'before']++
        await repeat(['repair'])
        expect(await contentsOf(data()), `killed at call ${call}`).toEqual(after)
        expect(leftovers()).toEqual([])
        const [aside, ...others] = readdirSync(data()).filter(name => name.startsWith('damaged-'))
        expect(others, 'one folder has the damaged files').toEqual([])
        expect(readdirSync(join(data(), aside as string))).toEqual(['accounts', 'alerts', 'candles'])
      })
      expectDurable(calls, isDecision, [...databaseFiles, 'accounts', 'alerts', 'candles', ''])
      expect(Math.min(seen.before, seen.after)).toBeGreaterThan(0)
      reportFigure(context, `killed before ${moments} of ${calls.length} calls: nothing lost`)
    })

    it.for(forms('copy'))(
      'restore of a %s that is killed leaves what was there or the backup',
      { timeout: 900_000, ...options },
      async (copy, context) => {
        reset(undefined)
        await fill(data())
        await repeat(['backup', at(copy)])
        await repeat(['keys', 'create', '--plan', 'pro', '--name', 'second'])
        cpSync(data(), at(`changed-${copy}`), { recursive: true })
        const before = await contentsOf(data())
        const words = ['restore', at(copy), '--force']
        await repeat(words)
        const after = await contentsOf(data())
        expect([before, after]).toMatchObject([{ accounts: ['first', 'second'] }, { accounts: ['first'] }])
        const { calls, moments } = await killAtEach(most, `changed-${copy}`, words, async call => {
          expect([before, after], `killed at call ${call}`).toContainEqual(await contentsOf(data()))
          await repeat(words)
          expect(await contentsOf(data()), `killed at call ${call}`).toEqual(after)
          expect(leftovers()).toEqual([])
        })
        expectDurable(calls, isDecision, [...databaseFiles, 'installation', ''])
        // The usual run ends here: where nothing was, there is less to lose.
        if (most === 2) return
        const anew = await killAtEach(most, undefined, words, async call => {
          expect(['nothing', after], `killed at call ${call}`).toContainEqual(await contentsOf(data()))
          await repeat(words)
          expect(await contentsOf(data()), `killed at call ${call}`).toEqual(after)
        })
        reportFigure(
          context,
          `killed before ${moments} of ${calls.length} calls, and before ${anew.moments} where nothing was: never a part of a backup`,
        )
      },
    )

    it.for(forms('copied'))(
      'backup into %s that is killed changes nothing and leaves no part of a copy under its name',
      { timeout: 600_000, ...options },
      async (copy, context) => {
        await fill(at(`source-${copy}`))
        const whole = await contentsOf(at(`source-${copy}`))
        const words = ['backup', at(copy)]
        const remove = () => rmSync(at(copy), { recursive: true, force: true })
        const { calls, moments } = await killAtEach(most, `source-${copy}`, words, async call => {
          expect(await contentsOf(data()), `killed at call ${call}`).toEqual(whole)
          if (!existsSync(at(copy))) await repeat(words)
          reset(undefined)
          await repeat(['restore', at(copy)])
          expect(await contentsOf(data()), `killed at call ${call}`).toEqual(whole)
          remove()
        })
        reportFigure(context, `killed before ${moments} of ${calls.length} calls: a whole copy or none`)
      },
    )

    it('migrate that is killed changes nothing at its source, and copies the rest when it is repeated', {
      timeout: 600_000,
      ...options,
    }, async context => {
      await fill(at('source'))
      const whole = await contentsOf(at('source'))
      const words = ['migrate', data(), at('target')]
      const { calls, moments } = await killAtEach(most, 'source', words, async call => {
        expect(await contentsOf(data()), `killed at call ${call}`).toEqual(whole)
        await repeat(words)
        expect(await contentsOf(data())).toEqual(whole)
        expect(await contentsOf(at('target')), `killed at call ${call}`).toEqual({
          ...(whole as object),
          usage: [],
        })
        rmSync(at('target'), { recursive: true })
      })
      reportFigure(context, `killed before ${moments} of ${calls.length} calls: nothing lost`)
    })
  },
)

describe('processes that share a data directory', { tags: ['faults'] }, () => {
  const embedded = JSON.stringify(new URL('../../dist/store/embedded/embedded.js', import.meta.url).href)
  const runProgram = (program: string) =>
    spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })

  /** Starts processes that open and close a database again and again. */
  const startOpeners = (times: number) =>
    Array.from({ length: 4 }, () =>
      runProgram(`
        import { openDatabase } from ${embedded}
        const path = ${JSON.stringify(join(data(), 'alerts'))}
        const options = { path, encoding: 'string', mapSize: 2 ** 30 }
        for (let time = 0; time < ${times}; time++) await openDatabase(options).close()`),
    )

  it('may open and close it at the same time', { timeout: 600_000 }, async context => {
    await fill(data())
    const times = isWhole ? 3000 : 500
    const ends = await Promise.all(startOpeners(times).map(opener => once(opener, 'exit')))
    expect(ends).toEqual(Array(4).fill([0, null]))
    reportFigure(context, `${4 * times} times opened and closed by 4 processes: no failure`)
  })

  it('lose no write while others open its database, wherever they stall', {
    timeout: 600_000,
  }, async context => {
    const writer = runProgram(`
      import { setTimeout as sleep } from 'node:timers/promises'
      import { openEmbedded } from ${embedded}
      const { alertRows } = openEmbedded(${JSON.stringify(data())})
      let isAtEnd = false
      process.stdin.once('data', () => (isAtEnd = true))
      console.log('open')
      let writes = 0
      for (; !isAtEnd; writes++) {
        await alertRows.write(new Map([['count', 1]]))
        await sleep(2)
      }
      console.log(writes - (await alertRows.get(['count']))[0])
      process.exit()`)
    await once(writer.stdout, 'data')
    const openers = startOpeners(Number.POSITIVE_INFINITY)
    const stalls = isWhole ? 3000 : 300
    for (let stall = 0; stall < stalls && writer.exitCode === null && writer.signalCode === null; stall++) {
      for (const opener of openers) opener.kill('SIGSTOP')
      await sleep(6)
      for (const opener of openers) opener.kill('SIGCONT')
      await sleep(3 * Math.random())
    }
    for (const opener of openers) opener.kill('SIGKILL')
    expect(writer.signalCode).toBe(null)
    writer.stdin.write('end')
    const [lost] = await once(writer.stdout, 'data')
    expect(String(lost)).toBe('0\n')
    reportFigure(context, `${stalls} stalls of each of ${openers.length} processes: no write lost`)
  })
})
