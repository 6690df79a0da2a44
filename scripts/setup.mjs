// Makes a checkout ready: installs the packages when the lock file says so, builds the kernels, the service and the
// page when their sources are newer than the build, then hands over to the command given (`serve` starts the server).
// Only what ships with Node is used here, because it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 2)) {
  console.error(`candela: Node 20.19 or later, or 22.2 or later, is needed; this is ${process.version}`)
  process.exit(1)
}

const root = fileURLToPath(new URL('..', import.meta.url))
const at = (...parts) => join(root, ...parts)

/** Every file below `folder`, in a stable order. */
function files(folder) {
  return readdirSync(at(folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}

function digest(paths) {
  const hash = createHash('sha256')
  for (const path of paths)
    hash.update(path.slice(root.length)).update('\0').update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}

const stampOf = path => (existsSync(path) ? readFileSync(path, 'utf8') : '')

function run(command, args) {
  const windows = process.platform === 'win32'
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    shell: windows,
  })
  if (status === 0) return
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}`)
  console.error(`candela: "${command} ${args.join(' ')}" failed`)
  process.exit(1)
}

/** Does `work` unless the stamp file says it was done for exactly these inputs. */
function step(stamp, inputs, title, work) {
  const wanted = `${process.versions.modules} ${digest(inputs)}`
  if (stampOf(stamp) === wanted) return
  console.error(`candela: ${title} …`)
  rmSync(stamp, { force: true })
  work()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

const asc = at('node_modules', 'assemblyscript', 'bin', 'asc.js')
const tsc = at('node_modules', 'typescript', 'bin', 'tsc')

step(at('node_modules', '.candela'), [at('package-lock.json')], 'installing packages', () => {
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
})

const kernels = files('assembly').filter(path => path.endsWith('.ts'))
step(
  at('build', '.kernels'),
  [...kernels, at('asconfig.json'), at('scripts', 'inverted-loops.mjs'), at('scripts', 'setup.mjs')],
  'building the kernels',
  () => {
    const entries = kernels.filter(path => path.startsWith(at('assembly', 'kernels')))
    const services = ['json/candles', 'json/numbers', 'expression/pointwise'].map(name =>
      at('assembly', ...`${name}.ts`.split('/')),
    )
    mkdirSync(at('build'), { recursive: true })
    for (const target of ['release', 'debug']) {
      run(process.execPath, [
        asc,
        at('assembly', 'memory.ts'),
        ...services,
        ...entries,
        '--config',
        at('asconfig.json'),
        '--target',
        target,
      ])
    }
    // One module holds the kernels, what reads and writes text, and the operations of expressions; only kernels are the
    // catalogue's concern.
    const others = services.flatMap(path =>
      [...readFileSync(path, 'utf8').matchAll(/^export function (\w+)/gm)].map(match => match[1]),
    )
    const names = WebAssembly.Module.exports(
      new WebAssembly.Module(readFileSync(at('build', 'kernels.wasm'))),
    )
      .filter(entry => entry.kind === 'function')
      .map(entry => entry.name)
      .filter(name => !others.includes(name))
      .sort()
    writeFileSync(
      at('build', 'kernels.d.ts'),
      `/** A kernel writes its outputs and state for the candles [from, to) of the frame. Written by scripts/setup.mjs. */\nexport type Kernel = (frame: number, from: number, to: number) => void\n\nexport interface Kernels {\n${names.map(name => `  ${name}: Kernel\n`).join('')}}\n`,
    )
  },
)

step(
  at('build', '.definitions'),
  [...kernels, at('scripts', 'kernel-docs.mjs')],
  'writing the definitions',
  () => {
    run(process.execPath, [at('scripts', 'kernel-docs.mjs'), at('build', 'definitions.json')])
  },
)

step(
  at('build', '.exchanges'),
  [at('package-lock.json'), at('scripts', 'exchange-list.mjs')],
  'listing the exchanges',
  () => {
    mkdirSync(at('build'), { recursive: true })
    run(process.execPath, [at('scripts', 'exchange-list.mjs'), at('build', 'exchanges.json')])
  },
)

step(
  at('dist', '.service'),
  [
    ...files('src'),
    at('build', 'kernels.d.ts'),
    at('tsconfig.json'),
    at('scripts', 'build-service.mjs'),
    at('package-lock.json'),
  ],
  'building the service',
  () => {
    rmSync(at('dist'), { recursive: true, force: true })
    run(process.execPath, [tsc, '-p', at('tsconfig.json')])
    run(process.execPath, [at('scripts', 'build-service.mjs')])
  },
)

// A copy that only computes, as in a test, lacks the page and the reference.
if (existsSync(at('page')))
  step(
    at('dist', '.page'),
    [
      ...files('page'),
      at('src', 'candles', 'timeframe.ts'),
      at('scripts', 'build-page.mjs'),
      at('package-lock.json'),
    ],
    'building the page',
    () => {
      run(process.execPath, [at('scripts', 'build-page.mjs')])
    },
  )

if (existsSync(at('reference')))
  step(
    at('build', '.documents'),
    [at('dist', '.service'), ...files('reference'), at('scripts', 'documents.mjs'), at('package-lock.json')],
    'writing the reference',
    () => {
      run(process.execPath, [at('scripts', 'documents.mjs')])
    },
  )

// Each V8 has code of its own. Without it everything works, only starts take longer, so a failure must not end the build.
if (existsSync(at('dist', 'main.js')))
  step(
    at('dist', `.code-${process.versions.v8}`),
    [at('dist', '.service'), at('scripts', 'store-code.mjs')],
    'storing the compiled code',
    () => {
      const { status, stderr } = spawnSync(process.execPath, [at('scripts', 'store-code.mjs')], {
        cwd: root,
        encoding: 'utf8',
        timeout: 60_000,
      })
      if (status !== 0)
        console.error(`candela: the compiled code was not stored; starts take longer without it. ${stderr}`)
    },
  )

// The program that each of these commands runs.
const programs = { bench: 'run.js', load: 'load.js' }
const program = programs[process.argv[2]]
if (program !== undefined) {
  step(
    at('build', 'bench', '.bench'),
    [...files('bench').filter(path => path.endsWith('.ts')), at('dist', '.service')],
    'building the benches',
    () => {
      run(process.execPath, [tsc, '-p', at('bench', 'tsconfig.json')])
    },
  )
  await import(pathToFileURL(at('build', 'bench', program)).href)
}
if (process.argv[2] === 'serve') await import(pathToFileURL(at('dist', 'main.js')).href)
