// A bot that trades on paper: it buys when the fast average is above the slow one, and sells when it is below. It decides
// at each closed candle, and continues from the last one after a lost connection.
//
//   node examples/typescript/bot.ts <exchange> <symbol> <timeframe> [<candles>]
import { Candela, type Market, type Timeframe } from 'candela-ta/client'

const { CANDELA_URL: url = 'http://127.0.0.1:8080', CANDELA_KEY: key = '' } = process.env
const [exchange = 'demo', symbol = 'BTCUSDT', timeframe = '1m', most = 'Infinity'] = process.argv.slice(2)
const candela = new Candela({ url, key })
const market: Market = { exchange, symbol, timeframe: timeframe as Timeframe }

/** The averages of a candle, of which two updates bring one each. */
const averages = new Map<number, { fast?: number; slow?: number }>()
let holds = false
let seen = 0

const stream = candela.stream(
  [
    { ...market, id: 'fast', indicator: 'ema', params: { period: 9 }, candleClose: true },
    { ...market, id: 'slow', indicator: 'ema', params: { period: 21 }, candleClose: true },
  ],
  { onState: state => console.error(state) },
)
for await (const { id, data, gap } of stream) {
  if (gap) console.error('candles are missing')
  const { timestamp, ema } = data
  const known = averages.get(timestamp) ?? {}
  averages.set(timestamp, { ...known, [id]: ema ?? undefined })
  const { fast, slow } = averages.get(timestamp) ?? {}
  if (fast === undefined || slow === undefined) continue
  averages.delete(timestamp)

  const action: string = fast > slow && !holds ? 'buy' : fast < slow && holds ? 'sell' : 'hold'
  if (action !== 'hold') holds = action === 'buy'
  const at = new Date(timestamp * 1000).toISOString().slice(0, 16).replace('T', ' ')
  console.log(`${at} ${action} (fast ${fast.toFixed(4)}, slow ${slow.toFixed(4)})`)
  if (++seen >= Number(most)) break
}
