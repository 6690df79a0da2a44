import { rewind, type Snapshot } from '../candles/columns.js'
import { formatTime } from '../candles/format-time.js'
import { formatNumber } from '../compute/json/number-writer.js'
import { type Market, marketFields, readMarket } from '../contract/market.js'
import { readWindow } from '../contract/query.js'
import { readQueryString } from '../contract/query-string.js'
import { isRefusal, type Refusal, unknownParameter } from '../contract/refusals.js'
import type { ExchangeLookup } from '../exchanges/registry.js'
import type { History } from '../history/history.js'
import { answerFromCandles } from './market-data.js'
import { ok, type Reply, refused } from './reply.js'

interface CandlesRequest {
  readonly market: Market
  readonly results: number
  readonly backtrack: number
}

const accepted = [...marketFields, 'results', 'backtrack']

function readRequest(queryString: string): CandlesRequest | Refusal {
  const fields = readQueryString(queryString)
  if (isRefusal(fields)) return fields
  const market = readMarket(fields)
  if (isRefusal(market)) return market
  for (const name of fields.keys()) {
    if (!accepted.includes(name)) return unknownParameter(name.slice(0, 60), 'candles', accepted)
  }
  const window = readWindow(fields, 'text')
  return isRefusal(window) ? window : { market, ...window }
}

function listCandles(now: Snapshot, results: number, backtrack: number): string {
  const snapshot = rewind(now, backtrack)
  const { columns, closed, forming, count } = snapshot
  const list: string[] = []
  for (let i = Math.max(0, count - results); i < count; i++) {
    const { timestamp, open, high, low, close, volume } = i < closed || !forming ? columns.read(i) : forming
    list.push(
      `{"timestamp":${timestamp},"timestampHuman":"${formatTime(timestamp)}","open":${formatNumber(open)},"high":${formatNumber(high)},"low":${formatNumber(low)},"close":${formatNumber(close)},"volume":${formatNumber(volume)}}`,
    )
  }
  return `[${list.join(',')}]`
}

/** `GET /candles`: raw candles, oldest first. */
export function getCandles(
  parts: { readonly exchanges: ExchangeLookup; readonly history: History },
  queryString: string,
  prefer: string,
): Reply | Promise<Reply> {
  const asked = readRequest(queryString)
  if (isRefusal(asked)) return refused(asked)
  return answerFromCandles(parts, asked.market, prefer, ({ snapshot }) =>
    ok(listCandles(snapshot, asked.results, asked.backtrack)),
  )
}
