// The first hour of a bot: a value, a history of several replies, a live value, and a mistake with its remedy.
//
//   node examples/typescript/first-hour.ts
import { Candela, CandelaError } from 'candela-ta/client'

const { CANDELA_URL: url = 'http://127.0.0.1:8080', CANDELA_KEY: key = '' } = process.env
const candela = new Candela({ url, key })
const market = { exchange: 'demo', symbol: 'BTCUSDT', timeframe: '1m' } as const

const { value } = await candela.indicator('rsi', market, { period: 14, backtrack: 1 })
console.log(`RSI ${value[0]}`)

const candles = await candela.candles(
  market,
  { from: '2023-01-02', to: '2023-03-14' },
  { onProgress: ({ done, total }) => console.log(`${done} of ${total} candles`) },
)
console.log(`${candles.length} candles`)

for await (const { data, closed } of candela.stream([{ ...market, id: 'mine', indicator: 'rsi' }])) {
  console.log(`live ${data.rsi} of a candle that ${closed ? 'has closed' : 'is forming'}`)
  break
}

try {
  await candela.indicator('rsi', market, { period: 0 })
} catch (error) {
  if (error instanceof CandelaError) console.log(error.message)
}
