import type { Calculator } from '../../compute/calculator.js'
import type { BodyParser } from '../../compute/json/body-parser.js'
import { readFields, readText } from '../../contract/body.js'
import { isRefusal, notFound } from '../../contract/refusals.js'
import type { ExchangeLookup } from '../../exchanges/registry.js'
import type { MarketData } from '../../history/market-data.js'
import type { Account } from '../../store/store.js'
import { type Reply, refused } from '../reply.js'
import { getCandles } from './candles.js'
import { getExchanges } from './exchanges.js'
import { getIndicator, postIndicator } from './indicator.js'
import { getSymbols } from './symbols.js'

interface Dependencies {
  readonly calculator: Calculator
  readonly bodyParser: BodyParser
  readonly exchanges: ExchangeLookup
  readonly marketData: MarketData
}

/** Tools wait for candles that are fetched for the first time. */
const prefer = 'wait=10'

/** `POST /mcp`: one message of the Model Context Protocol. Its tools are answered like requests of the same account. */
export async function postMcp(
  dependencies: Dependencies,
  body: Uint8Array,
  account: Account,
): Promise<Reply> {
  const text = readText(body)
  const fields = isRefusal(text) ? text : readFields(text)
  if (isRefusal(fields)) return refused(fields)
  const send = async (path: string, requestBody?: unknown) => {
    const reply = await answer(dependencies, path, requestBody, account.id)
    return { status: reply.status, body: JSON.parse(reply.body as string) as unknown }
  }
  // Loaded at the first message, because most services never get one.
  const { answerMessage } = await import('../../mcp/http.js')
  const { status, body: answered } = await answerMessage(Object.fromEntries(fields), send)
  return { status, body: answered }
}

/** Answers a request of a tool. */
function answer(
  dependencies: Dependencies,
  target: string,
  body: unknown,
  accountId: string,
): Reply | Promise<Reply> {
  const [path = '', queryString = ''] = target.split('?', 2)
  const [, first, second = ''] = path.split('/')
  const segment = decodeURIComponent(second)
  if (first === 'candles') return getCandles(dependencies, queryString, prefer, accountId)
  if (first === 'exchanges')
    return segment === '' ? getExchanges(dependencies) : getSymbols(dependencies, segment)
  if (first !== 'indicator') return refused(notFound(path))
  if (body === undefined) return getIndicator(dependencies, segment, queryString, prefer, accountId)
  return postIndicator(dependencies, segment, Buffer.from(JSON.stringify(body)))
}
