// Checks the Python client: formats, types, then its tests against the built service, with what it needs in an environment of
// its own in build/python. Without Python 3.10 or its registry it says so, and that is no failure.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const project = join(root, 'python')
const environment = join(root, 'build', 'python')
const bin = join(environment, process.platform === 'win32' ? 'Scripts' : 'bin')
const tools = ['pytest', 'ruff', 'mypy', 'duckdb', 'numpy', 'build', 'hatchling']

function skip(reason) {
  console.log(`the tests of the Python client are skipped: ${reason}`)
  process.exit(0)
}

/** The first Python that is new enough. */
function findPython() {
  const isNew = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'
  return ['python3', 'python'].find(name => spawnSync(name, ['-c', isNew]).status === 0)
}

function run(program, args, options = {}) {
  const { status } = spawnSync(join(bin, program), args, { cwd: project, stdio: 'inherit', ...options })
  if (status !== 0) process.exit(status ?? 1)
}

/** Installs what the tests need, once for each state of the project's dependencies. */
function install() {
  const stamp = join(environment, 'stamp')
  const wanted = createHash('sha256')
    .update(readFileSync(join(project, 'pyproject.toml')))
    .update(tools.join())
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  const python = findPython()
  if (!python) skip('there is no Python 3.10 or later with venv')
  rmSync(environment, { recursive: true, force: true })
  mkdirSync(environment, { recursive: true })
  spawnSync(python, ['-m', 'venv', environment], { stdio: 'inherit' })
  const args = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '-e',
    `${project}[pandas,polars]`,
    ...tools,
  ]
  if (spawnSync(join(bin, 'python'), args, { stdio: 'inherit' }).status !== 0)
    skip('its packages could not be installed')
  writeFileSync(stamp, wanted)
}

/** Starts a service; resolves with its address and its first key. */
function startService(dataDir) {
  const service = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'error', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    let greeting = ''
    service.stdout.on('data', chunk => {
      greeting += chunk
      const url = /listens on (http:\/\/\S+)\n/.exec(greeting)?.[1]
      const key = /Bearer (cnd_\S+)"[^\n]*\n/.exec(greeting)?.[1]
      if (url && key) resolve({ service, url, key })
    })
    service.once('exit', () => reject(new Error(`the service ended before it listened:\n${greeting}`)))
  })
}

install()
run('ruff', ['check', 'src', 'tests'])
run('ruff', ['format', '--check', 'src', 'tests'])
run('mypy', [])
const dataDir = mkdtempSync(join(tmpdir(), 'candela-python-'))
const { service, url, key } = await startService(dataDir)
let status = 1
try {
  const own = { ...process.env, CANDELA_URL: url, CANDELA_KEY: key }
  status =
    spawnSync(join(bin, 'pytest'), ['-q', 'tests'], { cwd: project, env: own, stdio: 'inherit' }).status ?? 1
} finally {
  service.kill()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exitCode = status
