// Speed of indicators in a program of Node.js: the kernels of the service, and seven packages of npm, over the same candles.
//
//   node libraries.mjs            prints the table
//   node libraries.mjs --write    and puts it into README.md
//   node libraries.mjs rsi macd   these only
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { catalogue } from '../../dist/catalogue/index.js'
import { Calculator } from '../../dist/compute/kernels/calculator.js'
import { inputsOf, packages, sizes } from './packages.mjs'
import { randomWalk } from './random-walk.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const counts = [500, 10_000]
const rounds = 3
const batches = 5
/** Long enough to measure, short enough that the system rarely switches processes within it. */
const batchNs = 1e6
const warmupNs = 1e7

const calculator = new Calculator()
// Two copies of the candles, used alternately, so that each call copies its inputs into the memory of the kernels.
const walks = [randomWalk(counts.at(-1)), randomWalk(counts.at(-1))]
const lists = Object.fromEntries(counts.map(count => [count, inputsOf(walks[0], count)]))

/**
 * All values of an indicator: candles copied into the memory of the kernels, values copied into existing columns of the
 * program, like a program that computes repeatedly. The packages lack this option: they create a new array for each result.
 */
function candela(entry, params, count) {
  const kept = Array.from({ length: entry.columns }, () => new Float64Array(count))
  let turn = 0
  return () => {
    const snapshot = { columns: walks[turn++ & 1], closed: count, forming: undefined, count }
    const { columns } = calculator.calculate({ indicator: entry, params }, snapshot)
    for (let k = 0; k < columns.length; k++) kept[k].set(columns[k])
    return kept
  }
}

/** A function that returns the nanoseconds per candle of one batch, or undefined if the call fails. */
function timer(call, count) {
  const run = repetitions => {
    const begin = process.hrtime.bigint()
    for (let i = 0; i < repetitions; i++) call()
    return Number(process.hrtime.bigint() - begin)
  }
  try {
    // Long enough for V8 to have compiled both sides with its optimising compilers.
    for (let warm = run(20); warm < warmupNs; ) warm += run(20)
  } catch {
    return undefined
  }
  let repetitions = 1
  while (run(repetitions) < batchNs) repetitions *= 2
  return () => run(repetitions) / repetitions / count
}

const wanted = process.argv.slice(2).filter(word => !word.startsWith('--'))
const rows = []
for (const entry of catalogue.values()) {
  if (wanted.length > 0 && !wanted.includes(entry.name)) continue
  const params = Object.fromEntries(
    Object.entries(entry.params).map(([name, param]) => [name, param.default]),
  )
  const made = Object.entries(packages)
    .map(([name, create]) => [name, create(entry, params)])
    .filter(([, create]) => create)
  if (made.length > 0) rows.push({ entry, params, made, ns: Object.fromEntries(counts.map(c => [c, {}])) })
}

for (let round = 0; round < rounds; round++) {
  for (const { entry, params, made, ns } of rows) {
    for (const count of counts) {
      const timers = [['candela', timer(candela(entry, params, count), count)]]
      for (const [name, create] of made) timers.push([name, timer(create(lists[count]), count)])
      // Alternating, so that a disturbance of the machine affects all of them.
      for (let batch = 0; batch < batches; batch++) {
        for (const [name, time] of timers)
          if (time) ns[count][name] = Math.min(ns[count][name] ?? Number.POSITIVE_INFINITY, time())
      }
    }
  }
}

const names = Object.keys(packages)
const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const text = ns => (ns === undefined ? '–' : ns < 10 ? ns.toFixed(1) : ns.toFixed(0))
/** Speed relative to the fastest package. */
function ratioOf(ns) {
  const { candela: ours, ...others } = ns
  return Math.min(...Object.values(others)) / ours
}
const ratios = counts.map(count => rows.map(({ ns }) => ratioOf(ns[count])).filter(Number.isFinite))
const mean = list => Math.exp(list.reduce((sum, ratio) => sum + Math.log(ratio), 0) / list.length)
const least = rows
  .map(row => ({ name: row.entry.name, ratio: Math.min(...counts.map(count => ratioOf(row.ns[count]))) }))
  .sort((a, b) => a.ratio - b.ratio)
const slower = least
  .filter(({ ratio }) => ratio < 1)
  .map(({ name, ratio }) => `${name} (${ratio.toFixed(2)})`)
const table = [
  `Node ${process.version}, ${cpus()[0]?.model.trim()}, all values; nanoseconds per candle at 10,000 candles, and how many times as fast as the fastest package at 500 and at 10,000.`,
  '',
  `Names that can be asked for: ${catalogue.size} of Candela, ${Object.entries(sizes)
    .map(([name, size]) => `${size} of ${name}`)
    .join(', ')}.`,
  '',
  `${rows.length} indicators; geometric mean ${counts
    .map((count, k) => `${mean(ratios[k]).toFixed(1)} at ${count.toLocaleString('en')}`)
    .join(
      ', ',
    )}; lowest ${least[0].ratio.toFixed(2)} (${least[0].name}); a package is faster: ${slower.join(', ') || 'none'}.`,
  '',
  `| Indicator | Candela | ${names.map(name => `${name} ${dependencies[name]}`).join(' | ')} | at 500 | at 10,000 |`,
  `|---|${'---:|'.repeat(names.length + 3)}`,
  ...rows.map(
    ({ entry, ns }) =>
      `| ${entry.name} | ${['candela', ...names].map(name => text(ns[counts[1]][name])).join(' | ')} | ${counts
        .map(count => ratioOf(ns[count]).toFixed(1))
        .join(' | ')} |`,
  ),
].join('\n')
console.log(table)
if (process.argv.includes('--write')) {
  const readme = join(here, 'README.md')
  const [before, after] = readFileSync(readme, 'utf8').split(/<!-- libraries -->[\s\S]*<!-- \/libraries -->/)
  writeFileSync(readme, `${before}<!-- libraries -->\n${table}\n<!-- /libraries -->${after}`)
}
