// Prints live values of an indicator.
//
//   node examples/typescript/stream.ts <exchange> <symbol> <timeframe> <indicator> [<updates>]
import { Candela, type Subscription, type Timeframe } from 'candela-ta/client'

const { CANDELA_URL: url = 'http://127.0.0.1:8080', CANDELA_KEY: key = '' } = process.env
const [exchange = 'demo', symbol = 'BTCUSDT', timeframe = '1m', indicator = 'rsi', most = 'Infinity'] =
  process.argv.slice(2)
const candela = new Candela({ url, key })

const market = { exchange, symbol, timeframe: timeframe as Timeframe }
// The types of parameters and outputs are those of a name that is known when the program is compiled.
const subscription = { ...market, id: 'mine', indicator } as Subscription
let seen = 0
for await (const { data, closed } of candela.stream([subscription])) {
  console.log(JSON.stringify({ ...data, closed }))
  if (++seen >= Number(most)) break
}
