// Indicators as a program in Node.js gets them: the kernels of the service, and three packages of npm, over the same candles.
//
//   node libraries.mjs            prints the table
//   node libraries.mjs --write    and puts it into README.md
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { catalogue } from '../../dist/catalogue/index.js'
import { Calculator } from '../../dist/compute/calculator.js'
import { randomWalk } from './random-walk.mjs'

const require = createRequire(import.meta.url)
const [talib, tulind, technicalindicators] = ['talib', 'tulind', 'technicalindicators'].map(name =>
  require(name),
)

const here = dirname(fileURLToPath(import.meta.url))
const count = 10_000
const rounds = 4
const batches = 20

const columns = randomWalk(count)
const snapshot = { columns, closed: count, forming: undefined, count }
const calculator = new Calculator()
// The packages take arrays of numbers.
const [open, high, low, close, volume] = ['open', 'high', 'low', 'close', 'volume'].map(name =>
  Array.from(columns[name]),
)

/** All values of an indicator, copied out of the memory of the kernels. */
function candela(name, params) {
  const outputs = calculator.calculate({ indicator: catalogue.get(name), params }, snapshot)
  return outputs.columns.map(column => column.slice())
}
const ofTalib = (name, inputs, options) =>
  talib.execute({ name, startIdx: 0, endIdx: count - 1, ...inputs, ...options })
function ofTulind(name, inputs, options) {
  let outputs
  // It calls back before it returns.
  tulind.indicators[name].indicator(inputs, options, (error, results) => {
    if (error) throw error
    outputs = results
  })
  return outputs
}

const calls = {
  sma: {
    candela: () => candela('sma', { period: 20 }),
    talib: () => ofTalib('SMA', { inReal: close }, { optInTimePeriod: 20 }),
    tulind: () => ofTulind('sma', [close], [20]),
    technicalindicators: () => technicalindicators.SMA.calculate({ period: 20, values: close }),
  },
  rsi: {
    candela: () => candela('rsi', { period: 14 }),
    talib: () => ofTalib('RSI', { inReal: close }, { optInTimePeriod: 14 }),
    tulind: () => ofTulind('rsi', [close], [14]),
    technicalindicators: () => technicalindicators.RSI.calculate({ period: 14, values: close }),
  },
  macd: {
    candela: () => candela('macd', { fastPeriod: 12, slowPeriod: 26, signalPeriod: 9 }),
    talib: () =>
      ofTalib('MACD', { inReal: close }, { optInFastPeriod: 12, optInSlowPeriod: 26, optInSignalPeriod: 9 }),
    tulind: () => ofTulind('macd', [close], [12, 26, 9]),
    technicalindicators: () =>
      technicalindicators.MACD.calculate({
        values: close,
        fastPeriod: 12,
        slowPeriod: 26,
        signalPeriod: 9,
        SimpleMAOscillator: false,
        SimpleMASignal: false,
      }),
  },
  atr: {
    candela: () => candela('atr', { period: 14 }),
    talib: () => ofTalib('ATR', { high, low, close }, { optInTimePeriod: 14 }),
    tulind: () => ofTulind('atr', [high, low, close], [14]),
    technicalindicators: () => technicalindicators.ATR.calculate({ period: 14, high, low, close }),
  },
  mfi: {
    candela: () => candela('mfi', { period: 14 }),
    talib: () => ofTalib('MFI', { high, low, close, volume }, { optInTimePeriod: 14 }),
    tulind: () => ofTulind('mfi', [high, low, close, volume], [14]),
    technicalindicators: () => technicalindicators.MFI.calculate({ period: 14, high, low, close, volume }),
  },
  engulfing: {
    candela: () => candela('engulfing', {}),
    talib: () => ofTalib('CDLENGULFING', { open, high, low, close }, {}),
  },
}

/** Nanoseconds per candle of the fastest batch of at least 3 ms. */
function time(call) {
  const run = repetitions => {
    const begin = process.hrtime.bigint()
    for (let i = 0; i < repetitions; i++) call()
    return Number(process.hrtime.bigint() - begin)
  }
  run(20)
  let repetitions = 1
  while (run(repetitions) < 3e6) repetitions *= 2
  let fastest = Number.POSITIVE_INFINITY
  for (let batch = 0; batch < batches; batch++) fastest = Math.min(fastest, run(repetitions))
  return fastest / repetitions / count
}

const libraries = ['candela', 'talib', 'tulind', 'technicalindicators']
const fastest = Object.fromEntries(Object.keys(calls).map(name => [name, {}]))
for (let round = 0; round < rounds; round++) {
  for (const [name, byLibrary] of Object.entries(calls)) {
    for (const [library, call] of Object.entries(byLibrary))
      fastest[name][library] = Math.min(fastest[name][library] ?? Number.POSITIVE_INFINITY, time(call))
  }
}

const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const sizes = {
  Candela: catalogue.size,
  talib: talib.functions.length,
  tulind: Object.keys(tulind.indicators).length,
  technicalindicators: technicalindicators.AvailableIndicators.length,
}
const text = ns => (ns === undefined ? '–' : ns < 100 ? ns.toFixed(1) : ns.toFixed(0))
const table = [
  `Node ${process.version}, ${cpus()[0]?.model.trim()}, ${count.toLocaleString('en')} candles, all values; nanoseconds per candle.`,
  '',
  `Names that can be asked for: ${Object.entries(sizes)
    .map(([name, size]) => `${size} of ${name}`)
    .join(', ')}.`,
  '',
  `| Indicator | Candela | ${libraries
    .slice(1)
    .map(name => `${name} ${dependencies[name]}`)
    .join(' | ')} |`,
  '|---|---:|---:|---:|---:|',
  ...Object.entries(fastest).map(
    ([name, ns]) => `| ${name} | ${libraries.map(library => text(ns[library])).join(' | ')} |`,
  ),
].join('\n')
console.log(table)
if (process.argv.includes('--write')) {
  const readme = join(here, 'README.md')
  const [before, after] = readFileSync(readme, 'utf8').split(/<!-- libraries -->[\s\S]*<!-- \/libraries -->/)
  writeFileSync(readme, `${before}<!-- libraries -->\n${table}\n<!-- /libraries -->${after}`)
}
