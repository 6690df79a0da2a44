// Computes an indicator over the candles of a CSV file, with the columns timestamp, open, high, low, close and volume.
//
//   node examples/typescript/csv-candles.ts <file> <indicator>
import { readFileSync } from 'node:fs'
import { Candela, type CandleInput, type IndicatorName } from 'candela-ta/client'

const { CANDELA_URL: url = 'http://127.0.0.1:8080', CANDELA_KEY: key = '' } = process.env
const candela = new Candela({ url, key })
const [file = 'examples/candles.csv', indicator = 'rsi'] = process.argv.slice(2)

const [heading = '', ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/)
const columns = heading.split(',')
const candles = lines.map(line => {
  const cells = line.split(',').map(Number)
  return Object.fromEntries(columns.map((column, at) => [column, cells[at]])) as unknown as CandleInput
})
// One request takes 500 candles.
const { timestamp, ...outputs } = await candela.compute(indicator as IndicatorName, candles.slice(-500), {
  results: 'max',
})
console.log(['time', ...Object.keys(outputs)].join(','))
for (const [at, seconds] of timestamp.entries()) {
  const time = new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')
  console.log([time, ...Object.values(outputs).map(values => values[at])].join(','))
}
