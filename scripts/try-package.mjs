// Packs the package and uses it like somebody who has only Node.js: `npx` in an empty folder, with the dependencies of the
// package. Prints a line for each Node.js, and ends with 1 if something fails.
//
//   node scripts/try-package.mjs                with the Node.js that runs this
//   node scripts/try-package.mjs 20 22 24 26    with these releases (Linux x64)
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'candela-package-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

const { values, positionals: versions } = parseArgs({
  allowPositionals: true,
  options: { tarball: { type: 'string' } },
})

function pack() {
  const options = ['--ignore-scripts', '--json', '--pack-destination', folder]
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', ...options], { cwd: root, encoding: 'utf8' }),
  )
  return join(folder, filename)
}
const tarball = values.tarball ?? pack()

/** Number of packages below a folder, and their size in MB. */
function packagesIn(modules) {
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = files.map(entry => join(entry.parentPath ?? entry.path, entry.name))
  const count = paths.filter(path =>
    /node_modules[\\/](@[^\\/]+[\\/])?[^\\/@]+[\\/]package\.json$/.test(path),
  ).length
  return { count, megabytes: Math.round(paths.reduce((sum, path) => sum + statSync(path).size, 0) / 1e6) }
}

const { env } = process
const candela = args => ['exec', '--yes', `--package=${tarball}`, '--', 'candela-ta', ...args]

/** Starts the service and sends the first request that it prints. Returns the seconds until the reply. */
async function firstAnswer() {
  const began = performance.now()
  const service = spawn('npm', candela(['serve']), {
    cwd: folder,
    env: { ...env, PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  try {
    let greeting = ''
    for await (const chunk of service.stdout) {
      greeting += chunk
      if (/^curl .*\n/m.test(greeting)) break
    }
    const [, authorization, url] = /^curl -H "Authorization: (.+)" "(.+)"$/m.exec(greeting) ?? []
    if (url === undefined) throw new Error(`the service ended, and printed: ${greeting}`)
    const ask = async path => {
      const reply = await fetch(new URL(path, url), { headers: { authorization, prefer: 'wait=5' } })
      if (!reply.ok) throw new Error(`${path} is answered with ${reply.status}`)
      return reply.text()
    }
    const { value } = JSON.parse(await ask(url))
    const seconds = (performance.now() - began) / 1000
    if (value.length !== 1) throw new Error(`the first answer has the values ${JSON.stringify(value)}`)
    for (const path of ['/', '/docs', '/help', '/help/search.json', '/openapi.json', '/exchanges'])
      await ask(path)
    return seconds
  } finally {
    // npm, its shell and the service.
    process.kill(-service.pid)
  }
}

/** Runs a command of candela to its end. */
function run(args, input) {
  const { status, stdout, stderr } = spawnSync('npm', candela(args), {
    cwd: folder,
    env,
    input,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`candela-ta ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}

function compute() {
  const rows = Array.from(
    { length: 30 },
    (_, at) => `${1_763_683_200 + 3600 * at},${at + 1},${at + 2},${at},${at + 1},1`,
  )
  const out = run(
    ['compute', 'sma', '--period', '3'],
    ['timestamp,open,high,low,close,volume', ...rows, ''].join('\n'),
  )
  const last = out.trim().split('\n').at(-1)
  if (!last.endsWith(',29')) throw new Error(`candela-ta compute gives ${last}`)
}

function initialize() {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'try', version: '1' },
  }
  const out = run(['mcp'], `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  const { result } = JSON.parse(out.trim().split('\n')[0])
  if (result.serverInfo.name === undefined) throw new Error(`candela-ta mcp answers ${out}`)
}

/** Runs the programs of a document where the package is installed. Comments behind `console.log` are their output. */
function runDocument(path) {
  const text = readFileSync(join(root, path), 'utf8')
  for (const [, program] of text.matchAll(/^```js\n([\s\S]*?)^```$/gm)) {
    const file = join(folder, 'installed', 'program.mjs')
    writeFileSync(file, program)
    const printed = execFileSync(process.execPath, [file], {
      cwd: join(folder, 'installed'),
      encoding: 'utf8',
    })
    const expected = [...program.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(
      ([, output]) => `${output}\n`,
    )
    if (expected.length > 0 && printed !== expected.join('')) throw new Error(`${path} prints ${printed}`)
  }
}

async function tryHere() {
  const install = [
    'install',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--prefix',
    join(folder, 'installed'),
    tarball,
  ]
  execFileSync('npm', install, { cwd: folder, env })
  const { count, megabytes } = packagesIn(join(folder, 'installed', 'node_modules'))
  compute()
  initialize()
  runDocument('docs/library.md')
  runDocument('docs/kernels.md')
  const seconds = await firstAnswer()
  const size = (statSync(tarball).size / 1e6).toFixed(1)
  console.log(
    `Node ${process.versions.node}: serve, compute, mcp and the library work; first answer ${seconds.toFixed(1)} s after the command; ` +
      `tarball ${size} MB, installed ${count} packages with ${megabytes} MB`,
  )
}

if (versions.length === 0) await tryHere()
for (const version of versions) {
  const program = [
    join(root, 'scripts', 'with-node.mjs'),
    version,
    'node',
    fileURLToPath(import.meta.url),
    '--tarball',
    tarball,
  ]
  const { status } = spawnSync(process.execPath, program, { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
