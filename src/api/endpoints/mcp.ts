import type { ComputeDispatcher } from '../../compute/compute-dispatcher.js'
import { entriesOf, readBodyFields } from '../../contract/body.js'
import { maxWaitSeconds } from '../../contract/limits.js'
import { isRefusal, notFound, unknownParameter } from '../../contract/refusals.js'
import type { ExchangeLookup } from '../../exchanges/registry.js'
import type { Expressions } from '../../expression/expressions.js'
import type { MarketData } from '../../history/market-data.js'
import type { Account } from '../../store/store.js'
import { type Caller, type Reply, type ResponseBody, refused } from '../reply.js'
import type { TableReplies } from '../tables/table-replies.js'
import { getCandles } from './candles.js'
import { getExchanges, getSymbols } from './exchanges.js'
import { postExpressionCheck } from './expression-check.js'
import type { IndicatorEndpoints } from './indicator.js'
import type { SuppliedEndpoints } from './supplied.js'

interface Dependencies {
  readonly indicator: IndicatorEndpoints
  readonly supplied: SuppliedEndpoints
  readonly tables: TableReplies
  readonly dispatch: ComputeDispatcher
  readonly exchanges: ExchangeLookup
  readonly marketData: MarketData
  readonly expressions: Expressions
  readonly historyDepth: number
}

/** A message of the protocol has four fields. */
const maxFields = 10

/** `POST /mcp`: one message of the Model Context Protocol. Its tools are answered like requests of the same account. */
export async function postMcp(
  dependencies: Dependencies,
  caller: Caller,
  account: Account,
  body: Uint8Array,
): Promise<Reply> {
  const fields = readBodyFields(body)
  if (isRefusal(fields)) return refused(fields)
  const send = async (target: string, requestBody?: unknown) => {
    const reply = await answer(dependencies, target, requestBody, account, caller)
    const age = reply.headers?.Age
    return {
      status: reply.status,
      body: JSON.parse(textOf(reply.body)) as unknown,
      age: age === undefined ? undefined : Number(age),
    }
  }
  // Loaded at the first message, because most services never get one.
  const { answerMessage } = await import('../../mcp/http.js')
  const message = Object.fromEntries(entriesOf(fields, maxFields))
  const { status, body: answered } = await answerMessage(message, send)
  return { status, body: answered }
}

const textOf = (body: ResponseBody): string => (typeof body === 'string' ? body : body.takeText())

/** Answers a request of a tool, which waits for candles that are fetched for the first time. */
function answer(
  { indicator, supplied, exchanges, ...dependencies }: Dependencies,
  target: string,
  body: unknown,
  account: Account,
  caller: Caller,
): Reply | Promise<Reply> {
  const [path = '', queryString = ''] = target.split('?', 2)
  const [, first, second = ''] = path.split('/')
  const segment = decodeURIComponent(second)
  const header = (name: string) => (name === 'prefer' ? `wait=${maxWaitSeconds}` : '')
  const head = { queryString, header, signal: caller.signal }
  // What a tool is given is JSON, whatever a model asks for.
  if (/(^|&)format=/.test(queryString)) return refused(unknownParameter('format', path, []))
  if (first === 'candles') return getCandles(dependencies, head, account)
  if (first === 'exchanges')
    return segment === '' ? getExchanges({ exchanges }) : getSymbols({ exchanges }, segment)
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  if (first === 'expression')
    return bytes ? postExpressionCheck(dependencies, bytes) : indicator.getExpression(head, account)
  if (first !== 'indicator') return refused(notFound(path))
  if (!bytes) return indicator.get(head, account, segment)
  const request = { ...head, contentType: 'application/json', signal: caller.signal }
  return supplied.post(request, account, segment, bytes, async () => undefined)
}
