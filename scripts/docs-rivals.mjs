// Writes the comparison of the kernels with native libraries in documents, from the figures that `npm run bench -- peers
// --write-baseline` has recorded in bench/baseline.json.
//
//   node scripts/docs-rivals.mjs           writes them
//   node scripts/docs-rivals.mjs --check   fails if a document is out of date
import { readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const { peers } = JSON.parse(readFileSync(new URL('bench/baseline.json', root), 'utf8'))
const measured = [
  'TA-Lib 0.8.3',
  'TA-Lib C 0.8.1',
  'TA-Lib takt 0.8.2',
  'Tulip C 0.8',
  'Wickra 2.1.1',
  'kand 0.2.2',
  'yata 0.7.0',
  'ta 0.5.0',
]
const ratioColumn = 'Candela / best exact rival'
const updateColumns = ['Candela, number', 'Candela, text', 'TA-Lib stream', 'Wickra update']

const libraries = measured.filter(name =>
  Object.keys(peers.figures).some(key => key.endsWith(`: ${name} ns`)),
)
const figure = (row, column) => peers.figures[`${row}: ${column} ns`]
const text = (value, digits = 2) => (value === undefined ? '–' : value.toFixed(digits))
const rowsOf = cells =>
  [...new Set(Object.keys(cells).map(key => key.slice(0, key.indexOf(': '))))].filter(
    name => !name.startsWith('all '),
  )
const table = (head, rows) =>
  [head, head.map((_, k) => (k === 0 ? '---' : '---:')), ...rows]
    .map(row => `| ${row.join(' | ')} |`)
    .join('\n')

/** Speed of each indicator relative to its fastest rival, slowest first. */
const speeds = rowsOf(peers.ratios)
  .map(name => ({ name, speed: 1 / peers.ratios[`${name}: ${ratioColumn}`] }))
  .sort((a, b) => a.speed - b.speed)
const mean = Math.exp(speeds.reduce((sum, { speed }) => sum + Math.log(speed), 0) / speeds.length)
const slower = speeds.filter(({ speed }) => speed < 0.9).length
const machine = `${peers.machine}, Node ${peers.node}`
const summary = `${speeds.length} indicators have at least one rival with the same values. Compared with the fastest rival of each, the kernels are ${mean.toFixed(2)} times as fast in the geometric mean; ${slower} are slower by more than a tenth.`

/** A library in one column of the README: the faster of its two forms. */
const faster = (name, ...columns) => {
  const times = columns.map(column => figure(name, column)).filter(time => time !== undefined)
  return text(times.length > 0 ? Math.min(...times) : undefined)
}
const readmeHead = ['', 'Candela', 'TA-Lib 0.8', 'Wickra 2.1', 'Tulip 0.8', 'hosted service, free plan']
const readmeRows = [
  [
    'What it is',
    'a service of your own',
    'a library in C and Rust',
    'a library in Rust',
    'a library in C',
    'a service of others',
  ],
  ['Fetches candles', 'yes', '–', '–', '–', 'yes'],
  ['Bulk requests, live updates', 'yes', '–', '–', '–', '–'],
  ['Requests', 'as many as the machine answers', '–', '–', '–', '1 in 15 seconds'],
  ...['rsi', 'macd', 'atr'].map(name => [
    `${name.toUpperCase()}, ns per candle`,
    text(figure(name, 'Candela')),
    faster(name, 'TA-Lib 0.8.3', 'TA-Lib C 0.8.1'),
    faster(name, 'Wickra 2.1.1'),
    faster(name, 'Tulip C 0.8'),
    '–',
  ]),
]
const pages = {
  'README.md': `${table(readmeHead, readmeRows)}

${summary} These are figures of one run on ${machine} ([bench/rivals](bench/rivals/README.md)).`,
  'docs/performance.md': `An RSI costs ${text(figure('rsi', 'Candela'))} ns per candle, an SMA ${text(figure('sma', 'Candela'))} ns, a MACD ${text(figure('macd', 'Candela'))} ns. ${summary}
Measured on ${machine}.`,
  'bench/rivals/README.md': `Measured on ${peers.date}, ${machine}; nanoseconds per candle, and how many times as fast as the fastest rival.

${summary}

${table(
  ['Indicator', 'Candela', ...libraries, 'times as fast'],
  speeds.map(({ name, speed }) => [
    name,
    text(figure(name, 'Candela')),
    ...libraries.map(library => text(figure(name, library))),
    speed.toFixed(2),
  ]),
)}

Wickra's \`batch_fast\`, whose values differ in the last digits from those of its updates, so that it is no rival above:

${table(
  ['Indicator', 'Candela', 'Wickra, exact', 'Wickra batch_fast'],
  rowsOf(peers.figures)
    .filter(name => figure(name, 'Wickra batch_fast') !== undefined)
    .map(name => [
      name,
      ...['Candela', 'Wickra 2.1.1', 'Wickra batch_fast'].map(column => text(figure(name, column))),
    ]),
)}

One update, in nanoseconds. A number is one step of the kernel; a text is what the service sends to those who subscribed, from the
candle to the JSON.

${table(
  ['Indicator', ...updateColumns],
  rowsOf(peers.figures)
    .filter(name => figure(name, updateColumns[0]) !== undefined)
    .map(name => [name, ...updateColumns.map(column => text(figure(name, column), 1))]),
)}`,
}

const isCheck = process.argv[2] === '--check'
for (const [path, content] of Object.entries(pages)) {
  const target = new URL(path, root)
  const marked = /(<!-- rivals -->\n)[\s\S]*?(<!-- \/rivals -->)/
  // A checkout on Windows may have other line endings.
  const current = readFileSync(target, 'utf8').replaceAll('\r\n', '\n')
  if (!marked.test(current)) throw new Error(`${path} has no place for the figures`)
  const page = current.replace(marked, (_, start, end) => `${start}${content}\n${end}`)
  if (page === current) continue
  if (isCheck) {
    console.error(`${path} is out of date: run npm run docs`)
    process.exitCode = 1
  } else writeFileSync(target, page)
}
