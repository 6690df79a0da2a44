import type { ComputeDispatcher } from '../../compute/compute-dispatcher.js'
import type { BodyParser } from '../../compute/json/body-parser.js'
import type { Calculator } from '../../compute/kernels/calculator.js'
import type { ResultCache } from '../../compute/results/result-cache.js'
import { entriesOf, readBodyFields } from '../../contract/body.js'
import { maxWaitSeconds } from '../../contract/limits.js'
import { isRefusal, notFound } from '../../contract/refusals.js'
import type { ExchangeLookup } from '../../exchanges/registry.js'
import type { MarketData } from '../../history/market-data.js'
import type { Account } from '../../store/store.js'
import { type Caller, type Reply, type RequestHead, type ResponseBody, refused } from '../reply.js'
import { getCandles } from './candles.js'
import { getExchanges } from './exchanges.js'
import { getExpression, getIndicator, postIndicator } from './indicator.js'
import { getSymbols } from './symbols.js'

interface Dependencies {
  readonly calculator: Calculator
  readonly resultCache: ResultCache
  readonly bodyParser: BodyParser
  readonly dispatch: ComputeDispatcher
  readonly exchanges: ExchangeLookup
  readonly marketData: MarketData
}

/** A message of the protocol has four fields. */
const maxFields = 10

/** Who asks. */
interface Client {
  readonly account: Account
  readonly caller: Caller
}

/** `POST /mcp`: one message of the Model Context Protocol. Its tools are answered like requests of the same account. */
export async function postMcp(
  dependencies: Dependencies,
  body: Uint8Array,
  account: Account,
  caller: Caller,
): Promise<Reply> {
  const fields = readBodyFields(body)
  if (isRefusal(fields)) return refused(fields)
  const send = async (path: string, requestBody?: unknown) => {
    const reply = await answer(dependencies, path, requestBody, { account, caller })
    return { status: reply.status, body: JSON.parse(textOf(reply.body)) as unknown }
  }
  // Loaded at the first message, because most services never get one.
  const { answerMessage } = await import('../../mcp/http.js')
  const { status, body: answered } = await answerMessage(
    Object.fromEntries(entriesOf(fields, maxFields)),
    send,
  )
  return { status, body: answered }
}

const textOf = (body: ResponseBody): string => (typeof body === 'string' ? body : body.takeText())

/** Answers a request of a tool. */
function answer(
  dependencies: Dependencies,
  target: string,
  body: unknown,
  { account, caller }: Client,
): Reply | Promise<Reply> {
  const [path = '', queryString = ''] = target.split('?', 2)
  const [, first, second = ''] = path.split('/')
  const segment = decodeURIComponent(second)
  const head = headOf(path, queryString)
  if (first === 'candles') return getCandles(dependencies, head, account.id)
  if (first === 'exchanges')
    return segment === '' ? getExchanges(dependencies) : getSymbols(dependencies, segment)
  if (first === 'expression') return getExpression(dependencies, head, account.id)
  if (first !== 'indicator') return refused(notFound(path))
  if (body === undefined) return getIndicator(dependencies, segment, head, account.id)
  return postIndicator(dependencies, segment, Buffer.from(JSON.stringify(body)), account.id, caller)
}

/** The head of a request of a tool, which waits for candles that are fetched for the first time. */
const headOf = (path: string, queryString: string): RequestHead => ({
  method: 'get',
  path,
  queryString,
  authorization: '',
  contentType: '',
  header: name => (name === 'prefer' ? `wait=${maxWaitSeconds}` : ''),
})
