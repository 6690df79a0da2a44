import { rewind, type Snapshot } from '../candles/columns.js'
import { numberText } from '../compute/json/number-writer.js'
import { type Market, marketFields, readMarket } from '../contract/market.js'
import { readQuery } from '../contract/query-string.js'
import { readWindow } from '../contract/query.js'
import { isRefusal, type Refusal, unknownParameter } from '../contract/refusals.js'
import type { Exchanges } from '../exchanges/registry.js'
import type { History } from '../history/history.js'
import { fromCandles } from './market-data.js'
import { ok, type Reply, refused } from './reply.js'

interface Asked {
  readonly market: Market
  readonly results: number
  readonly backtrack: number
}

const accepted = [...marketFields, 'results', 'backtrack']

function readRequest(query: string): Asked | Refusal {
  const fields = readQuery(query)
  if (isRefusal(fields)) return fields
  const market = readMarket(fields)
  if (isRefusal(market)) return market
  for (const name of fields.keys()) {
    if (!accepted.includes(name)) return unknownParameter(name.slice(0, 60), 'candles', accepted)
  }
  const window = readWindow(fields, 'text')
  return isRefusal(window) ? window : { market, ...window }
}

/** UTC, `YYYY-MM-DD HH:MM:SS`. */
const humanTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

function listCandles(now: Snapshot, results: number, backtrack: number): string {
  const snapshot = rewind(now, backtrack)
  const { columns, closed, forming, count } = snapshot
  const list: string[] = []
  for (let i = Math.max(0, count - results); i < count; i++) {
    const { timestamp, open, high, low, close, volume } = i < closed || !forming ? columns.read(i) : forming
    list.push(
      `{"timestamp":${timestamp},"timestampHuman":"${humanTime(timestamp)}","open":${numberText(open)},"high":${numberText(high)},"low":${numberText(low)},"close":${numberText(close)},"volume":${numberText(volume)}}`,
    )
  }
  return `[${list.join(',')}]`
}

/** `GET /candles`: raw candles, oldest first. */
export function getCandles(
  parts: { readonly exchanges: Exchanges; readonly history: History },
  query: string,
  prefer: string,
): Reply | Promise<Reply> {
  const asked = readRequest(query)
  if (isRefusal(asked)) return refused(asked)
  return fromCandles(parts, asked.market, prefer, ({ snapshot }) =>
    ok(listCandles(snapshot, asked.results, asked.backtrack)),
  )
}
