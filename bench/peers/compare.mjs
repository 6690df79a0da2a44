// Kernels beside the C functions of TA-Lib and Tulip, over the same random walk, in one run.
//
//   node compare.mjs             prints the table
//   node compare.mjs --write     and puts it into README.md
//   node compare.mjs rsi macd    these only
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { catalogue } from '../../dist/catalogue/index.js'
import { Calculator } from '../../dist/compute/kernels/calculator.js'
import { same, talibCalls, talibName, tulipCalls } from './calls.mjs'
import { randomWalk } from './random-walk.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const count = 10_000
// Rounds of everything, so that what disturbs the machine for some seconds does not meet the same functions each time.
const rounds = 4
const batches = 20

/** The two libraries and the harness as one program, compiled from their sources with the flags TA-Lib's own build uses. */
function compile() {
  const program = join(here, 'native', 'build', 'rivals')
  const harness = join(here, 'native', 'rivals.c')
  if (existsSync(program) && statSync(program).mtimeMs > statSync(harness).mtimeMs) return program
  const talib = join(here, 'node_modules', 'talib', 'src', 'lib')
  const tulip = join(here, 'node_modules', 'tulind', 'external')
  const folders = ['ta_common', 'ta_func', 'ta_abstract', 'ta_abstract/frames', 'ta_abstract/tables'].map(
    name => join(talib, 'src', name),
  )
  const sources = folders.flatMap(folder =>
    readdirSync(folder)
      .filter(file => file.endsWith('.c') && file !== 'excel_glue.c')
      .map(file => join(folder, file)),
  )
  mkdirSync(dirname(program), { recursive: true })
  const includes = [join(talib, 'include'), ...folders, tulip].map(folder => `-I${folder}`)
  const flags = ['-O2', '-fno-strict-aliasing', '-DTA_SINGLE_THREAD', '-w']
  const { status, stderr } = spawnSync(
    'cc',
    [...flags, ...includes, harness, ...sources, join(tulip, 'tiamalgamation.c'), '-lm', '-o', program],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`cc failed:\n${stderr}`)
  return program
}

const program = compile()
const known = { talib: new Map(), tulip: new Map() }
for (const line of spawnSync(program, ['list'], { encoding: 'utf8' }).stdout.trim().split('\n')) {
  const [library, name, options] = line.split(' ')
  known[library].set(name, Number(options))
}

function callOf(library, entry, params) {
  const special = (library === 'talib' ? talibCalls : tulipCalls)[entry.name] ?? {}
  if ('name' in special && special.name === undefined) return undefined
  const name = special.name ?? (library === 'tulip' ? entry.name : talibName(entry))
  const wanted = known[library].get(name)
  if (wanted === undefined) return undefined
  const options = (special.options ?? same)({ ...params, ...special.with })
  if (options.length !== wanted) {
    console.error(
      `${entry.name}: ${library} ${name} takes ${wanted} options, the entry has ${options.length}`,
    )
    return undefined
  }
  return { ...special, name, options }
}

const columns = randomWalk(count)
const candlesFile = join(here, 'native', 'build', 'walk.f64')
writeFileSync(
  candlesFile,
  Buffer.concat(
    [
      new Float64Array([count]),
      ...['open', 'high', 'low', 'close', 'volume'].map(name => Float64Array.from(columns[name])),
    ].map(list => Buffer.from(list.buffer)),
  ),
)

const rows = []
const names = process.argv.slice(2).filter(word => !word.startsWith('--'))
for (const entry of catalogue.values()) {
  if (names.length > 0 && !names.includes(entry.name)) continue
  const defaults = Object.fromEntries(
    Object.entries(entry.params).map(([name, param]) => [name, param.default]),
  )
  const calls = { talib: callOf('talib', entry, defaults), tulip: callOf('tulip', entry, defaults) }
  if (calls.talib || calls.tulip)
    rows.push({ entry, params: { ...defaults, ...calls.talib?.with, ...calls.tulip?.with }, calls, ns: {} })
}

const lines = rows.flatMap(({ calls }) =>
  ['talib', 'tulip']
    .filter(library => calls[library])
    .map(library => `${library} ${calls[library].name} ${calls[library].options.join(' ')}`),
)
const note = (row, side, ns) => {
  if (ns > 0) row.ns[side] = Math.min(ns, row.ns[side] ?? Infinity)
}

function timeRivals() {
  const timed = spawnSync(program, ['time', candlesFile], {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
  })
    .stdout.trim()
    .split('\n')
  let next = 0
  for (const row of rows) {
    for (const library of ['talib', 'tulip'])
      if (row.calls[library]) note(row, library, Number(timed[next++]?.split(' ')[2]))
  }
}

const calculator = new Calculator()
const snapshot = { columns, closed: count, forming: undefined, count }
function timeOurs() {
  for (const row of rows) {
    const { source, source2 } = row.calls.talib ?? {}
    calculator.prepare({ indicator: row.entry, params: row.params, source, source2 }, snapshot)
    const time = repetitions => {
      const begin = process.hrtime.bigint()
      for (let i = 0; i < repetitions; i++) calculator.run(row.entry, 0, count)
      return Number(process.hrtime.bigint() - begin)
    }
    // Long enough for V8 to have compiled the kernel with its optimising compiler.
    time(50)
    let repetitions = 1
    while (time(repetitions) < 3e6) repetitions *= 2
    for (let batch = 0; batch < batches; batch++) note(row, 'ours', time(repetitions) / repetitions / count)
  }
}

for (let round = 0; round < rounds; round++) {
  timeRivals()
  timeOurs()
}

const text = ns => (ns === undefined ? '' : ns.toFixed(2))
const ratios = rows
  .map(({ entry, ns }) => ({
    entry,
    ns,
    ratio: Math.min(ns.talib ?? Infinity, ns.tulip ?? Infinity) / ns.ours,
  }))
  .filter(({ ratio }) => Number.isFinite(ratio))
ratios.sort((a, b) => a.ratio - b.ratio)
const mean = Math.exp(ratios.reduce((sum, { ratio }) => sum + Math.log(ratio), 0) / ratios.length)
const table = [
  `Node ${process.version}, ${cpus()[0]?.model.trim()}, ${count.toLocaleString('en')} candles; nanoseconds per candle, and how many times as fast as the faster rival.`,
  '',
  `${ratios.length} functions; geometric mean ${mean.toFixed(2)}; lowest ${ratios[0].ratio.toFixed(2)} (${ratios[0].entry.name}); below 0.5: ${
    ratios
      .filter(({ ratio }) => ratio < 0.5)
      .map(({ entry }) => entry.name)
      .join(', ') || 'none'
  }.`,
  '',
  '| Indicator | Candela | TA-Lib C | Tulip C | times as fast |',
  '|---|---:|---:|---:|---:|',
  ...ratios.map(
    ({ entry, ns, ratio }) =>
      `| ${entry.name} | ${text(ns.ours)} | ${text(ns.talib)} | ${text(ns.tulip)} | ${ratio.toFixed(2)} |`,
  ),
].join('\n')
console.log(table)
if (process.argv.includes('--write')) {
  const readme = join(here, 'README.md')
  const [before, after] = readFileSync(readme, 'utf8').split(/<!-- table -->[\s\S]*<!-- \/table -->/)
  writeFileSync(readme, `${before}<!-- table -->\n${table}\n<!-- /table -->${after}`)
}
