// Prints the RSI and the trend of several symbols, the most oversold first.
//
//   node examples/typescript/screener.ts <exchange> <timeframe> <symbol>...
import { Candela, type Timeframe } from 'candela-ta/client'

const { CANDELA_URL: url = 'http://127.0.0.1:8080', CANDELA_KEY: key = '' } = process.env
const candela = new Candela({ url, key })

const [exchange = 'demo', timeframe = '1h', ...symbols] = process.argv.slice(2)
const results = await candela.bulk(
  symbols.map((symbol, at) => ({
    id: `m${at}`,
    exchange,
    symbol,
    timeframe: timeframe as Timeframe,
    indicators: [
      { id: 'rsi', indicator: 'rsi', period: 14, backtrack: 1 },
      { id: 'fast', indicator: 'ema', period: 20, backtrack: 1 },
      { id: 'slow', indicator: 'ema', period: 50, backtrack: 1 },
    ],
  })),
)
const rows = symbols.flatMap((symbol, at) => {
  const { rsi, fast, slow, _error } = results[`m${at}`] ?? {}
  if (!rsi || !fast || !slow) {
    console.error(`${symbol}: ${_error ?? 'too few candles'}`)
    return []
  }
  const trend = Number(fast.value[0]) > Number(slow.value[0]) ? 'up' : 'down'
  return [{ symbol, rsi: Number(rsi.value[0]), trend }]
})
rows.sort((a, b) => a.rsi - b.rsi)
for (const { symbol, rsi, trend } of rows)
  console.log(`${symbol.padEnd(12)} ${rsi.toFixed(2).padStart(6)} ${trend}`)
