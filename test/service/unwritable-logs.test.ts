import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../support/command-line.js'
import { freePort } from '../support/free-port.js'

// Lines of a log must be written somewhere. If they cannot be written, only these lines are lost.

type Place = number | 'pipe'
const full = () => openSync('/dev/full', 'w')

/** A service whose standard output and error are nowhere, or pipes that nobody reads, and a key with all scopes. */
async function start(settings: Record<string, string>, output: Place, error: Place) {
  const directory = mkdtempSync(join(tmpdir(), 'candela-logs-'))
  const port = await freePort()
  const env = { ...process.env, DATA_DIR: directory, HOST: '127.0.0.1', PORT: String(port), ...settings }
  const bounds = ['--plan', 'enterprise', '--requests', '1000000', '--scopes', 'read,admin']
  const { out } = await runCommand(['keys', 'create', ...bounds], { DATA_DIR: directory })
  const child: ChildProcess = spawn(process.execPath, ['dist/main.js'], {
    env: { ...env, DRAIN_SECONDS: '0' },
    stdio: ['ignore', output, error],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  })
  const headers = {
    authorization: `Bearer ${/cnd_[\w-]+/.exec(out)}`,
    'content-type': 'application/json',
  }
  const ask = async (path: string, method = 'GET', body?: object) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...{ method, headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: reply.status, body: await reply.json() }
  }
  // Nothing tells that it listens: its output is not read.
  while (!(await ask('/health/live').catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    await sleep(50)
  }
  return { child, ask }
}

type Ask = Awaited<ReturnType<typeof start>>['ask']

/** Rounds of 50 lines. A pipe holds 64 KiB, and a line has 130 bytes and more. */
const rounds = 12
const requests = async (ask: Ask) => {
  for (let round = 0; round < rounds; round++)
    await Promise.all(Array.from({ length: 50 }, () => ask('/nothing')))
}
const changesOfKeys = async (ask: Ask) => {
  const { body } = await ask('/admin/keys', 'POST', { plan: 'free' })
  for (let round = 0; round < rounds; round++)
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => ask(`/admin/keys/${body.id}`, 'PATCH', { name: `n${at}` })),
    )
}

const outputs = [
  ['an access log on a full disk', { ACCESS_LOG: '/dev/full' }, requests, full, full],
  ['an access log on a standard output that is full', { ACCESS_LOG: 'stdout' }, requests, full, full],
  [
    'an access log on a standard output that nobody reads',
    { ACCESS_LOG: 'stdout' },
    requests,
    () => 'pipe' as const,
    full,
  ],
  ['a log on a standard error that is full', { LOG_LEVEL: 'info' }, changesOfKeys, full, full],
  [
    'a log on a standard error that nobody reads',
    { LOG_LEVEL: 'info' },
    changesOfKeys,
    full,
    () => 'pipe' as const,
  ],
] as const
for (const [at, [title, settings, act, output, error]] of outputs.entries()) {
  // A file that is full, and a pipe that nobody reads.
  const isUsual = at === 0 || at === 4
  const options = { timeout: 60_000, ...(isUsual ? {} : { tags: ['faults'] }) }
  it.skipIf(process.platform !== 'linux')(
    `${title} costs no answer, and the service ends`,
    options,
    async () => {
      const { child, ask } = await start(settings, output(), error())
      await act(ask)
      expect((await ask('/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h')).status).toBeLessThan(300)
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).toEqual([0, null])
    },
  )
}
