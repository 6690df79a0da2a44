// Writes the identifiers of the exchanges that ccxt can fetch candles from as a JSON array to the file given.
// It runs once per installed ccxt, so that the service can list them without paying for all of ccxt.
import { writeFileSync } from 'node:fs'
import ccxt from 'ccxt'

const fetchesCandles = id => {
  const exchange = new ccxt[id]()
  return exchange.alias !== true && exchange.has.fetchOHLCV === true
}

writeFileSync(process.argv[2], `${JSON.stringify(ccxt.exchanges.filter(fetchesCandles).sort(), null, 2)}\n`)
