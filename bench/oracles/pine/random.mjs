// Compares random scripts of Pine with their expressions: node random.mjs [seconds] [seed], after npm run build.
//
// A script has variables that branches change and that read their own past. Each plot with an expression must have the values of
// PineTS wherever the expression has left its warm-up; scripts whose translation names a difference are left out. Prints the
// script of each disagreement, and fails if there is one.

import { PineTS } from 'pinets'
import { Columns, columnNames } from '../../../dist/candles/columns.js'
import { compileExpression } from '../../../dist/compute/expressions/compile.js'
import { Calculator } from '../../../dist/compute/kernels/calculator.js'
import { translatePine } from '../../../dist/compute/pine/translate.js'
import { finish } from '../../../dist/runtime/scheduler.js'
import { readMarket } from '../../../test/vectors/vector-file.js'

const [seconds = 60, seed = 1] = process.argv.slice(2).map(Number)
const count = 150
/** Market with many equal prices. */
const market = Object.fromEntries(
  Object.entries(readMarket('shapes')).map(([name, values]) => [name, values.slice(0, count)]),
)
const columns = new Columns(count)
for (const name of columnNames) columns[name].set(market[name])
const snapshot = { columns, closed: count, forming: undefined, count }
const candles = market.timestamp.map((time, i) => ({
  ...Object.fromEntries(['open', 'high', 'low', 'close', 'volume'].map(name => [name, market[name][i]])),
  openTime: time * 1000,
  closeTime: time * 1000 + 3_599_999,
}))

let state = seed
function random() {
  state = (state + 0x6d2b79f5) >>> 0
  let mixed = Math.imul(state ^ (state >>> 15), state | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}
const pick = items => items[Math.floor(random() * items.length)]
const several = most => Array.from({ length: 1 + Math.floor(random() * most) })

/** A random number over variables, at most `depth` levels deep. */
function number(names, depth) {
  const kind = random()
  if (depth <= 0 || kind < 0.35)
    return pick([
      ...['open', 'close', 'high', 'low', 'close[1]', 'high[2]', String(Math.floor(random() * 5))],
      ...names.flatMap(name => [name, `${name}[1]`, `nz(${name}[1])`]),
    ])
  const inner = () => number(names, depth - 1)
  if (kind < 0.6) return `${inner()} ${pick(['+', '-', '*'])} ${pick(['open', 'close', '2', '1'])}`
  if (kind < 0.7) return `math.max(${inner()}, ${inner()})`
  if (kind < 0.8)
    return pick(['ta.sma(close, 5)', 'ta.ema(close, 4)', 'ta.highest(high, 3)', 'ta.rsi(close, 5)'])
  return `(${condition(names, depth - 1)} ? ${inner()} : ${inner()})`
}

function condition(names, depth) {
  const kind = random()
  const inner = () => condition(names, depth - 1)
  if (depth <= 0 || kind < 0.5) {
    const sides = [
      pick(['close', 'open', 'high', 'close[1]', ...names]),
      pick(['open', 'close', 'low', '140', ...names]),
    ]
    return sides.join(` ${pick(['>', '<', '>=', '<=', '=='])} `)
  }
  if (kind < 0.7) return `(${inner()} ${pick(['and', 'or'])} ${inner()})`
  return kind < 0.85 ? `not (${inner()})` : pick(['mean > open', 'crossed', 'close > mean'])
}

/** A statement that changes a variable. */
function change(names) {
  const name = pick(names)
  const past = `nz(${name}[1])`
  const values = [
    ...[number(names, 1), '1', '-1', 'close', `${name} + volume`, `${past} + 1`],
    `${condition(names, 1)} ? ${number(names, 0)} : ${name}[1]`,
    `${condition(names, 0)} ? 0 : ${past} + 1`,
  ]
  return random() < 0.2 ? `${name} += ${pick(['1', 'close', '2'])}` : `${name} := ${pick(values)}`
}

function script() {
  const names = several(3).map((_, k) => `v${k}`)
  const lines = [
    '//@version=6',
    'indicator("Random")',
    'mean = ta.sma(close, 5)',
    'crossed = ta.crossover(close, mean)',
  ]
  for (const name of names)
    lines.push(`${pick(['var ', 'var ', ''])}float ${name} = ${pick(['0', '1.5', '3', 'na'])}`)
  for (const _ of several(4)) {
    if (random() < 0.5) lines.push(change(names))
    else {
      lines.push(`if ${condition(names, 1)}`, `    ${change(names)}`)
      if (random() < 0.4) lines.push(`else if ${condition(names, 1)}`, `    ${change(names)}`)
      if (random() < 0.4) lines.push('else', `    ${change(names)}`)
    }
  }
  return [
    ...lines,
    ...names.map(name => `plot(${name}, "${name}")`),
    `plot(${number(names, 2)}, "last")`,
  ].join('\n')
}

const calculator = new Calculator()

/** The first candle at which an expression differs from a plot; undefined if there is none. */
function differenceOf(expression, data) {
  const compiled = compileExpression(expression, { timeframe: '1h' })
  const [values] = calculator.calculate(compiled.spec, snapshot).columns
  for (let i = compiled.depth - 1; i < count; i++) {
    const wanted = Number(data[i]?.value ?? Number.NaN)
    const isMissing = !Number.isFinite(wanted)
    if (Number.isNaN(values[i]) && isMissing) continue
    if (isMissing || !(Math.abs(values[i] - wanted) <= 1e-8 * Math.max(1, Math.abs(wanted))))
      return `${values[i]} instead of ${wanted} at candle ${i}`
  }
}

const found = { scripts: 0, compared: 0, refused: 0, differing: 0 }
for (const end = Date.now() + seconds * 1000; Date.now() < end; found.scripts++) {
  const text = script()
  const { expressions, differences, refused } = finish(translatePine(text, '1h'))
  found.refused += refused.length
  if (differences.length > 0 || expressions.length === 0) continue
  const plots = await new PineTS(candles).run(text).then(
    result => result.plots,
    () => ({}),
  )
  for (const { title, expression } of expressions) {
    if (!plots[title]) continue
    found.compared++
    const difference = differenceOf(expression, plots[title].data)
    if (difference === undefined) continue
    found.differing++
    console.error(`${title}: ${difference}\n${expression}\n${text}\n`)
  }
}
console.error(found)
process.exit(found.differing > 0 ? 1 : 0)
