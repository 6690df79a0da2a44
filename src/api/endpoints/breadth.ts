import { singleTable } from '../../compute/tables/table.js'
import { readBodyFields } from '../../contract/body.js'
import { isRefusal } from '../../contract/refusals.js'
import { formatShape } from '../../contract/table-format.js'
import type { Expressions } from '../../expression/expressions.js'
import type { MarketData } from '../../history/market-data.js'
import type { Breadths } from '../../screen/breadth/breadths.js'
import { readBreadth } from '../../screen/breadth/request.js'
import type { Screener } from '../../screen/screener.js'
import type { Account } from '../../store/store.js'
import { staleHeaders } from '../candles-reply.js'
import { type Caller, ok, type QueryHead, type Reply, refused, withHeaders } from '../reply.js'
import { readAnswerOptions } from '../tables/answer-format.js'
import { breadthTable } from '../tables/endpoint-tables.js'
import type { TableReplies } from '../tables/table-replies.js'
import { pendingReply, replyAfterScan } from './screen.js'

interface Dependencies {
  readonly tables: TableReplies
  readonly screener: Screener
  readonly breadths: Breadths
  readonly marketData: MarketData
  readonly expressions: Expressions
}

/** `POST /breadth`: measures over the markets of an exchange. */
export async function postBreadth(
  { screener, breadths, marketData, expressions, tables }: Dependencies,
  head: QueryHead & Caller,
  account: Account,
  body: Uint8Array,
): Promise<Reply> {
  const asked = readAnswerOptions(head, formatShape, '/breadth')
  if (isRefusal(asked)) return refused(asked)
  const fields = readBodyFields(body)
  const request = isRefusal(fields) ? fields : readBreadth(fields, expressions)
  if (isRefusal(request)) return refused(request)
  const scan = await screener.scan(request, account)
  if (isRefusal(scan)) return refused(scan)
  const { format } = asked
  const answered = async (): Promise<Reply> => {
    const answer = await breadths.answer(request, scan, account.id)
    if (isRefusal(answer)) return refused(answer)
    const { text, age } = answer
    const reply =
      format === 'json'
        ? ok(text)
        : await tables.ofLayout(singleTable(breadthTable(text)), format, head, account.id)
    return age === undefined ? reply : withHeaders(reply, staleHeaders(age))
  }
  const pending = () => {
    const isMissing = (symbol: string) => !marketData.recall({ ...market, symbol })
    const market = scan.markets[0] as (typeof scan.markets)[number]
    const missing = scan.markets.map(({ symbol }) => symbol).filter(isMissing)
    return pendingReply('breadth', request, scan, { missing })
  }
  return replyAfterScan(head, scan, screener.othersReady(request, account.id), answered, pending)
}
