// Prepares a checkout: installs the packages when the lock file has changed, builds the kernels, the service and the page
// when their sources have changed, then runs the given command: `serve` starts the server, `bench` and `load` run their
// programs. `tools` also installs the packages of tests, benches and checks, `all` also builds the debug kernels of the
// tests, and `packages` builds nothing. Only what ships with Node is used here, because it runs before anything is
// installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeCatalogueIndex } from './catalogue-index.mjs'
import { compilerArguments, root } from './kernel-compiler.mjs'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 12)) {
  console.error(`candela: Node 20.19 or later, or 22.12 or later, is needed; this is ${process.version}`)
  process.exit(1)
}

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

const wantedFor = inputs => `${process.versions.modules} ${digest(inputs)}`
const stampOf = path => (existsSync(path) ? readFileSync(path, 'utf8') : '')

/** Runs a program of Node, or `npm`. Resolves to its exit code, null if it was killed, and all of its output. */
function execute(args, command = process.execPath) {
  return new Promise(resolve => {
    let output = ''
    const child = spawn(command, args, { cwd: root, shell: process.platform === 'win32' })
    const add = text => {
      output += text
    }
    child.stdout.on('data', add)
    child.stderr.on('data', add)
    child.on('error', ({ message }) => add(`${message}\n`))
    child.on('close', status => resolve({ status, output }))
  })
}

/** Runs a program whose failure ends the build. */
async function run(args, command) {
  const { status, output } = await execute(args, command)
  if (status === 0) return
  underWay.clear()
  process.stderr.write(`\n${output}`)
  console.error(`candela: "${[command ?? 'node', ...args].join(' ')}" failed`)
  process.exit(1)
}

/** Start times of the running steps, by title. */
const underWay = new Map()
const secondsOf = title => (performance.now() - underWay.get(title)) / 1000

/** Shows the running steps with their seconds in the last line of a terminal. */
const showProgress = () => {
  if (!process.stderr.isTTY || underWay.size === 0) return
  const steps = [...underWay.keys()].map(title => `${title} … ${secondsOf(title).toFixed(0)} s`)
  process.stderr.write(`\r\x1b[Kcandela: ${steps.join(', ')}`)
}
setInterval(showProgress, 1000).unref()

function print(line) {
  process.stderr.write(`${process.stderr.isTTY ? '\r\x1b[K' : ''}candela: ${line}\n`)
  showProgress()
}

/** Runs `work` unless the stamp file has the digest of exactly these inputs. The stamp is then newer than all inputs. */
async function step(stamp, inputs, title, work) {
  const wanted = wantedFor(inputs)
  if (stampOf(stamp) === wanted) return utimesSync(stamp, new Date(), new Date())
  underWay.set(title, performance.now())
  if (process.stderr.isTTY) showProgress()
  else print(`${title} …`)
  rmSync(stamp, { force: true })
  await work()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
  const seconds = secondsOf(title).toFixed(1)
  underWay.delete(title)
  print(`${title} took ${seconds} s`)
}

const tsc = at('node_modules', 'typescript', 'bin', 'tsc')

const [command] = process.argv.slice(2)
// The workspace test/tools has the packages of tests, benches and checks. Once installed, they stay.
const lock = [at('package-lock.json')]
const stampOfPackages = withTools => at('node_modules', withTools ? '.candela-tools' : '.candela')
const withTools =
  ['packages', 'tools', 'all', 'bench', 'load'].includes(command) ||
  stampOf(stampOfPackages(true)) === wantedFor(lock)
await step(stampOfPackages(withTools), lock, 'installing packages', async () => {
  const packages = withTools ? [] : ['--no-workspaces']
  await run(['ci', ...packages, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], 'npm')
  await run([at('scripts', 'trim-modules.mjs'), at('node_modules'), '--for-builds'])
})

if (command === 'packages') process.exit()

writeCatalogueIndex()
const writtenLists = ['average-names.ts', 'average-entries.ts'].map(name => at('src', 'catalogue', name))
await step(
  at('build', '.average-types'),
  [
    ...files('src/catalogue').filter(path => !writtenLists.includes(path)),
    at('scripts', 'average-types.mjs'),
  ],
  'listing the averages',
  () => run([at('scripts', 'average-types.mjs')]),
)

const assembly = files('assembly').filter(path => path.endsWith('.ts'))
const kernels = assembly.filter(path => path.startsWith(at('assembly', 'kernels')))

/** Compiles the kernels, the conversion from and to text, and the operations of expressions into one module. */
const compile = (target, title) =>
  step(
    at('build', `.kernels-${target}`),
    [
      ...assembly,
      at('asconfig.json'),
      at('scripts', 'constant-variants.mjs'),
      at('scripts', 'interleaved-segments.mjs'),
      at('scripts', 'inverted-loops.mjs'),
      at('scripts', 'unrolled-loops.mjs'),
      at('scripts', 'kernel-compiler.mjs'),
    ],
    title,
    () => run(compilerArguments(target, kernels)),
  )

/** Writes the types of the kernels' exports for the service. */
function writeKernelTypes() {
  const names = kernels
    .flatMap(path => [
      ...readFileSync(path, 'utf8').matchAll(/^export (?:function (\w+)\(|{ \w+ as (\w+) })/gm),
    ])
    .map(([, name, otherName]) => name ?? otherName)
    .sort()
  const text = `/** A kernel writes its outputs and state for the candles [from, to) of the frame. Written by scripts/setup.mjs. */\nexport type Kernel = (frame: number, from: number, to: number) => void\n\nexport interface Kernels {\n${names.map(name => `  ${name}: Kernel\n`).join('')}}\n`
  if (stampOf(at('build', 'kernels.d.ts')) !== text) writeFileSync(at('build', 'kernels.d.ts'), text)
}

mkdirSync(at('build'), { recursive: true })
writeKernelTypes()

// The kernels need as much time as all the rest, which depends on their names only.
const compiled = compile('release', 'building the kernels').then(() =>
  command === 'all' ? compile('debug', 'building the debug kernels') : undefined,
)

await step(
  at('build', '.exchanges'),
  [at('package-lock.json'), at('scripts', 'exchange-list.mjs')],
  'listing the exchanges',
  () => run([at('scripts', 'exchange-list.mjs'), at('build', 'exchanges.json')]),
)

await step(
  at('build', '.json-types'),
  [
    ...['src/contract', 'src/catalogue', 'src/candles', 'src/runtime', 'interface'].flatMap(files),
    at('scripts', 'json-types.mjs'),
    at('package-lock.json'),
  ],
  'writing the types of the interface',
  () => run([at('scripts', 'json-types.mjs')]),
)

await step(
  at('dist', '.service'),
  [
    ...files('src'),
    at('build', 'json-types.d.ts'),
    at('build', 'kernels.d.ts'),
    at('tsconfig.json'),
    at('scripts', 'build-service.mjs'),
    at('package-lock.json'),
  ],
  'building the service',
  async () => {
    rmSync(at('dist'), { recursive: true, force: true })
    await run([tsc, '-p', at('tsconfig.json')])
    await run([at('scripts', 'build-service.mjs')])
  },
)

await step(
  at('dist', '.library'),
  [
    ...assembly,
    ...['candles', 'catalogue', 'client', 'compute', 'contract', 'runtime'].flatMap(name =>
      files(join('src', name)),
    ),
    at('scripts', 'build-compute.mjs'),
    at('scripts', 'kernel-docs.mjs'),
    at('package-lock.json'),
  ],
  'building the library',
  () => run([at('scripts', 'build-compute.mjs')]),
)

// A copy that only computes, as in a test, lacks the page and the reference.
if (existsSync(at('page')))
  await step(
    at('dist', '.page'),
    [
      ...files('page'),
      ...files('src/catalogue'),
      ...['age.ts', 'format-count.ts', 'timeframe.ts'].map(name => at('src', 'candles', name)),
      at('scripts', 'build-page.mjs'),
      at('package-lock.json'),
    ],
    'building the page',
    () => run([at('scripts', 'build-page.mjs')]),
  )

if (existsSync(at('reference')))
  await step(
    at('build', '.documents'),
    [
      at('dist', '.service'),
      ...files('reference'),
      ...files('interface'),
      at('scripts', 'documents.mjs'),
      at('package-lock.json'),
    ],
    'writing the reference',
    () => run([at('scripts', 'documents.mjs')]),
  )

await compiled

// The kernels compute the pictures of indicators.
if (existsSync(at('page', 'help')))
  await step(
    at('dist', '.help'),
    [
      ...files('docs').filter(path => !path.startsWith(at('docs', 'adr'))),
      at('README.md'),
      at('CHANGELOG.md'),
      at('SECURITY.md'),
      at('examples', 'README.md'),
      ...files('page').filter(path => /help|style|view|controls.dom/.test(path)),
      at('scripts', 'build-help.mjs'),
      ...files('scripts/reference'),
      at('dist', '.service'),
      at('build', '.kernels-release'),
      at('package-lock.json'),
    ],
    'building the help',
    () => run([at('scripts', 'build-help.mjs')]),
  )

if (existsSync(at('python', 'src'))) {
  const stamp = at('build', '.python')
  // Checking out a commit that contained these modules, and then leaving it, removes them.
  const written = ['src/candela_client/_client.py', 'ta/src/candela_ta/plans.js']
  if (!written.every(path => existsSync(at('python', path)))) rmSync(stamp, { force: true })
  await step(
    stamp,
    [
      ...['.documents', '.kernels-release'].map(name => at('build', name)),
      at('dist', '.library'),
      at('scripts', 'build-python.mjs'),
      ...['_async_client.py', '_async_alerts.py'].map(name => at('python', 'src', 'candela_client', name)),
    ],
    'writing the Python packages',
    () => run([at('scripts', 'build-python.mjs')]),
  )
}

if (existsSync(at('python', 'src')))
  await step(
    at('dist', '.packages'),
    [
      at('dist', '.service'),
      at('build', '.python'),
      ...['python', 'python/ta'].flatMap(folder => [
        ...files(`${folder}/src`).filter(path => /\.(py|wat)$/.test(path)),
        ...['pyproject.toml', 'README.md'].map(name => at(folder, name)),
      ]),
      at('docs', 'client.md'),
      at('scripts', 'build-packages.mjs'),
    ],
    'packing the clients',
    () => run([at('scripts', 'build-packages.mjs')]),
  )

// The program of each of these commands.
const programs = { bench: 'run.js', load: 'load.js' }
const program = programs[command]
if (program !== undefined) {
  await step(
    at('build', 'bench', '.bench'),
    [...files('bench').filter(path => path.endsWith('.ts')), at('dist', '.service')],
    'building the benches',
    () => run([tsc, '-p', at('bench', 'tsconfig.json')]),
  )
  await import(pathToFileURL(at('build', 'bench', program)).href)
}
if (command === 'serve') await import(pathToFileURL(at('dist', 'main.js')).href)
