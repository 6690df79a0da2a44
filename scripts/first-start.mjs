// Measures the first start of a new user: `npm start` in a fresh clone with an empty npm cache up to the first answered
// request, compared with `npm ci` of the same packages alone. `node scripts/first-start.mjs` or with a number of rounds, 3
// by default. The clone has the committed files.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const rounds = Number(process.argv[2] ?? 3)
const question = '/indicator/rsi?exchange=demo&symbol=BTCUSDT&timeframe=1h'
const shell = process.platform === 'win32'

/** Runs `work` in a fresh clone, with an environment in which npm has an empty cache. Resolves to its seconds. */
async function inFreshClone(work) {
  const folder = mkdtempSync(join(tmpdir(), 'candela-first-start-'))
  try {
    const clone = join(folder, 'candela')
    const { status, stderr } = spawnSync('git', ['clone', '--quiet', root, clone], { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    const env = { ...process.env, npm_config_cache: join(folder, 'cache'), DATA_DIR: join(folder, 'data') }
    const began = performance.now()
    await work({ cwd: clone, env: { ...env, PORT: '0', HOST: '127.0.0.1' }, shell })
    return (performance.now() - began) / 1000
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs `npm start` until a request is answered. */
async function start(options) {
  const child = spawn('npm', ['start'], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, so that the service ends with npm.
    detached: !shell,
  })
  const ended = once(child, 'close')
  try {
    let printed = ''
    for await (const chunk of child.stdout) {
      printed += chunk
      const url = /listens on (http:\/\/\S+)\n/.exec(printed)?.[1]
      const key = /Bearer (cnd_\S+)"/.exec(printed)?.[1]
      if (url === undefined || key === undefined) continue
      const headers = { authorization: `Bearer ${key}`, prefer: 'wait=5' }
      const { status } = await fetch(url + question, { headers })
      if (status !== 200) throw new Error(`the first reply was ${status}`)
      return
    }
    throw new Error(`npm start ended:\n${printed}`)
  } finally {
    if (shell) child.kill()
    else process.kill(-child.pid, 'SIGTERM')
    await ended
  }
}

/** Installs the packages of `npm start` alone. */
async function install(options) {
  const words = ['ci', '--no-workspaces', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const [status] = await once(
    spawn('npm', words, { ...options, stdio: ['ignore', 'ignore', 'inherit'] }),
    'exit',
  )
  if (status !== 0) throw new Error(`npm ci ended with ${status}`)
}

const table = []
for (let round = 0; round < rounds; round++) {
  const packages = await inFreshClone(install)
  const answer = await inFreshClone(start)
  table.push({ 'npm ci, s': packages.toFixed(1), 'npm start to the first answer, s': answer.toFixed(1) })
}
console.table(table)
