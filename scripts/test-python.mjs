// Checks the Python client and the Python library: formats, types, then their tests against a service whose clock they move, and
// their wheels in an empty environment.
//
//   node scripts/test-python.mjs                      with the first Python that is new enough
//   node scripts/test-python.mjs 3.10 /opt/bin/python3   with each of these: versions or programs
//
// What the tests need is installed in an environment of each Python in build/python. Without any Python 3.10 or later, or
// its registry, it prints the reason and succeeds; a named version is required.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { missingKey } from '#dist/contract/refusals.js'
import { createDemoSource } from '#dist/markets/exchanges/demo/demo-source.js'
import { Service } from '#dist/operate/service.js'
import { readConfig } from '#dist/operate/settings/config.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const project = join(root, 'python')
/** Folders of the packages. */
const packages = [project, join(project, 'ta')]
const tools = [
  ...['pytest', 'ruff', 'mypy', 'types-PyYAML', 'pyyaml', 'numpy', 'pytz', 'hatchling'],
  ...['nbclient', 'ipykernel', 'matplotlib', 'dask[distributed]', 'pyspark'],
  // An extension is for one version of DuckDB.
  ...['duckdb==1.5.5', 'duckdb-extension-httpfs==1.5.5'],
]
const scratch = mkdtempSync(join(tmpdir(), 'candela-python-'))

function skip(reason) {
  console.log(`tests of the Python packages are skipped: ${reason}`)
  process.exit(0)
}

/** The version of a program that is Python 3.10 or later and has venv, else undefined. */
function versionOf(program) {
  const code =
    'import sys, venv, ensurepip; print(*sys.version_info[:2], sep="."); sys.exit(sys.version_info < (3, 10))'
  const { status, stdout } = spawnSync(program, ['-c', code], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** The program of a version, such as `3.12`: from the path, or installed by pyenv. */
function programOf(version) {
  const folder = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions')
  const installed = existsSync(folder) ? readdirSync(folder) : []
  const names = installed.filter(name => name === version || name.startsWith(`${version}.`))
  const programs = [`python${version}`, ...names.map(name => join(folder, name, 'bin', 'python3'))]
  const program = programs.find(versionOf)
  if (program) return program
  console.error(`There is no Python ${version}.`)
  process.exit(1)
}

/** Runs a program of an environment; throws if it fails. */
async function run(environment, program, args, options = {}) {
  const path = join(environment, process.platform === 'win32' ? 'Scripts' : 'bin', program)
  const child = spawn(path, args, { cwd: project, stdio: 'inherit', ...options })
  const status = await new Promise(resolve => child.once('exit', resolve).once('error', () => resolve(1)))
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`)
}

const pip = (environment, ...args) =>
  run(environment, 'python', ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...args])

/** The environment of a Python with the packages of the tests; created once for each state of the project's dependencies. */
async function install(python, version) {
  const environment = join(root, 'build', 'python', version)
  const stamp = join(environment, 'stamp')
  const wanted = createHash('sha256')
    .update(packages.map(folder => readFileSync(join(folder, 'pyproject.toml'))).join())
    // Programs of an environment contain the path of its folder.
    .update([environment, python, ...tools].join())
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return environment
  rmSync(environment, { recursive: true, force: true })
  mkdirSync(environment, { recursive: true })
  spawnSync(python, ['-m', 'venv', environment], { stdio: 'inherit' })
  await pip(environment, '-e', `${project}[pandas,polars]`, '-e', join(project, 'ta'), ...tools).catch(() =>
    skip('its packages could not be installed'),
  )
  writeFileSync(stamp, wanted)
  return environment
}

/** Starts a service whose markets stand still until a request to `clock` lets seconds pass. */
async function startService() {
  let seconds = 1_700_006_400
  const clock = () => seconds
  const account = { name: 'test', plan: 'enterprise', created: 0, requests: 1_000_000, subscriptions: 10_000 }
  const accounts = new Map([
    ['Bearer many', { ...account, id: 'many', constructs: 20 }],
    ['Bearer small', { ...account, id: 'small', constructs: 1 }],
  ])
  const source = createDemoSource(clock)
  const service = new Service(
    {
      ...readConfig({}),
      ...{ dataDirectory: join(scratch, 'data'), port: 0, shutdownSeconds: 1 },
    },
    {
      tuning: { formingPerSecond: 50 },
      log: { info() {}, warn() {}, error: context => console.error(context) },
      clock,
      access: {
        recall: header => accounts.get(header),
        authenticate: header => accounts.get(header) ?? missingKey(),
      },
      exchanges: {
        ids: () => ['demo'],
        find: name => (name === 'demo' ? { id: 'demo', source } : undefined),
        close: () => source.close(),
      },
    },
  )
  const { url } = await service.start()
  const server = createServer((request, reply) => {
    seconds += Number(request.url.slice(1))
    reply.end()
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.close()
    await service.close()
  }
  return { url, clock: `http://127.0.0.1:${server.address().port}`, close }
}

/** Installs the wheels of the service in an empty environment, where the programs of their READMEs must work. */
async function tryWheels(python, version, url) {
  const empty = join(scratch, version)
  spawnSync(python, ['-m', 'venv', empty], { stdio: 'inherit' })
  for (const [name, page] of [
    ['.', 'python.md'],
    ['ta', 'python-library.md'],
  ]) {
    const [, line] = /pip install "(.*)"$/m.exec(readFileSync(join(root, 'docs', page), 'utf8'))
    await pip(empty, line.replace('[pandas]', '').replace('http://127.0.0.1:8080', url))
    const readme = readFileSync(join(project, name, 'README.md'), 'utf8')
    const program = /```python\n([\s\S]*?)```/.exec(readme)[1]
    const own = program.replace('http://127.0.0.1:8080', url).replace('cnd_…', 'many')
    await run(empty, 'python', ['-c', own], { cwd: scratch })
  }
}

const given = process.argv.slice(2)
const pythons =
  given.length > 0
    ? given.map(name => (/^\d+\.\d+$/.test(name) ? programOf(name) : name))
    : [['python3', 'python'].find(versionOf) ?? skip('there is no Python 3.10 or later with venv')]
const service = await startService()
const env = { ...process.env, CANDELA_URL: service.url, CANDELA_KEY: 'many', CANDELA_CLOCK: service.clock }
try {
  for (const [at, python] of pythons.entries()) {
    const version = versionOf(python)
    console.log(`Python ${version}`)
    const environment = await install(python, version)
    if (at === 0) {
      const checked = ['--config', 'pyproject.toml', 'src', 'ta/src', 'tests', '../examples/research.ipynb']
      await run(environment, 'ruff', ['check', ...checked])
      await run(environment, 'ruff', ['format', '--check', ...checked])
      await run(environment, 'mypy', [])
    }
    await run(environment, 'pytest', ['-q', 'tests'], { env })
    await tryWheels(python, version, service.url)
  }
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  await service.close()
  rmSync(scratch, { recursive: true, force: true })
}
