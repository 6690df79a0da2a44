// Libraries in JavaScript, for the Python programs in the parent folder: a call on each line of standard input, its result on
// a line of standard output.
//
// A call is { library, name, columns, given }: columns of candles by name, and the library's own options: an object for
// lightweight-charts-indicators, a list of constructor arguments for trading-signals. The result is { outputs }, a column for
// each number of a result by its name, null for a missing value, or { error }.

import { createInterface } from 'node:readline'

const charts = await import('lightweight-charts-indicators')
const signals = await import('trading-signals')

const columnNames = ['open', 'high', 'low', 'close', 'volume']

const candlesOf = columns =>
  columns.close.map((_, i) => ({
    time: columns.timestamp[i],
    ...Object.fromEntries(columnNames.map(name => [name, columns[name][i]])),
  }))

const number = value => (typeof value === 'number' && Number.isFinite(value) ? value : null)

/** Plots are lists of { time, value }; markers count as 1 below a bar and as -1 above it. */
function chart({ name, columns, given }) {
  const candles = candlesOf(columns)
  const indicator = charts[name]
  const result = indicator.calculate(candles, { ...indicator.defaultInputs, ...given })
  const place = new Map(candles.map(({ time }, i) => [time, i]))
  const column = (points, read) => {
    const values = candles.map(() => null)
    for (const point of points) if (place.has(point.time)) values[place.get(point.time)] = read(point)
    return values
  }
  const plots = Object.values(result.plots ?? {}).map(points => column(points, ({ value }) => number(value)))
  const markers = column(result.markers ?? [], ({ position }) => (position === 'belowBar' ? 1 : -1))
  const drawn = (result.plotCandles ? Object.values(result.plotCandles) : []).flatMap(points =>
    columnNames.slice(0, 4).map(name => column(points, point => number(point[name]))),
  )
  return [...plots, ...drawn, ...(result.markers ? [markers.map(value => value ?? 0)] : [])]
}

/** Input of an indicator: a number if it reads one column, a candle otherwise. */
function signal({ name, columns, given, source }) {
  const indicator = new signals[name](...given)
  const names = new Set()
  const results = candlesOf(columns).map(candle => {
    const result = indicator.update(source ? candle[source] : candle, false)
    if (result === null || result === undefined) return {}
    const numbers = typeof result === 'object' ? result : { value: result }
    for (const key of Object.keys(numbers)) names.add(key)
    return numbers
  })
  const plain = value => (typeof value === 'boolean' ? Number(value) : number(value))
  return [...names].map(key => results.map(numbers => plain(numbers[key])))
}

for await (const line of createInterface({ input: process.stdin })) {
  const call = JSON.parse(line)
  let answer
  try {
    answer = { outputs: call.library === 'trading-signals' ? signal(call) : chart(call) }
  } catch (error) {
    answer = { error: String(error) }
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
