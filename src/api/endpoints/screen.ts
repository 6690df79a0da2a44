import { singleTable } from '../../compute/tables/table.js'
import { readBodyFields } from '../../contract/body.js'
import { isRefusal } from '../../contract/refusals.js'
import { formatShape } from '../../contract/table-format.js'
import type { Expressions } from '../../expression/expressions.js'
import { withTimeout } from '../../runtime/deadline.js'
import { readScreen, type ScannedRequest } from '../../screen/request.js'
import type { Scan } from '../../screen/scan.js'
import type { Screener } from '../../screen/screener.js'
import type { Account } from '../../store/store.js'
import { staleHeaders, waitSecondsOf } from '../candles-reply.js'
import { type Caller, ok, type QueryHead, type Reply, refused, withHeaders } from '../reply.js'
import { readAnswerOptions } from '../tables/answer-format.js'
import { screenTable } from '../tables/endpoint-tables.js'
import type { TableReplies } from '../tables/table-replies.js'

interface Dependencies {
  readonly tables: TableReplies
  readonly screener: Screener
  readonly expressions: Expressions
}

/** How long a request waits for candles of its own accord, in seconds: a few markets take less. */
const graceSeconds = 0.5

/** `POST /screen`: the markets of an exchange at which a condition holds. */
export async function postScreen(
  { screener, expressions, tables }: Dependencies,
  head: QueryHead & Caller,
  account: Account,
  body: Uint8Array,
): Promise<Reply> {
  const asked = readAnswerOptions(head, formatShape, '/screen')
  if (isRefusal(asked)) return refused(asked)
  const fields = readBodyFields(body)
  const request = isRefusal(fields) ? fields : readScreen(fields, expressions)
  if (isRefusal(request)) return refused(request)
  const scan = await screener.scan(request, account)
  if (isRefusal(scan)) return refused(scan)
  const { format } = asked
  const answered = async (): Promise<Reply> => {
    const { text, age } = await screener.answer(request, scan, account.id)
    const reply =
      format === 'json'
        ? ok(text)
        : await tables.ofLayout(singleTable(screenTable(text, request)), format, head, account.id)
    return age === undefined ? reply : withHeaders(reply, staleHeaders(age))
  }
  const others = screener.othersReady(request, account.id)
  return replyAfterScan(head, scan, others, answered, () => pendingReply('screen', request, scan))
}

/** The reply to a request over the markets of a scan: `pending` where it takes longer than the client waits. */
export async function replyAfterScan(
  head: QueryHead,
  scan: Scan,
  others: Promise<unknown> | undefined,
  answered: () => Promise<Reply>,
  pending: () => Reply,
): Promise<Reply> {
  if (scan.hasEnded && !others) return answered()
  const seconds = waitSecondsOf(head)
  const ended = Promise.all([scan.ended, others]).then(() => true)
  const reply = (await withTimeout(ended, Math.max(seconds, graceSeconds))) ? await answered() : pending()
  return seconds === 0 ? reply : withHeaders(reply, { 'Preference-Applied': `wait=${seconds}` })
}

/** The candles are being fetched: `done` of `total` markets were tried. */
export const pendingReply = (
  kind: 'screen' | 'breadth',
  { exchange, timeframe }: ScannedRequest,
  { done, markets }: Scan,
  more: object = {},
): Reply => ({
  status: 202,
  body: JSON.stringify({
    pending: true,
    key: `${kind}:${exchange}:${timeframe}`,
    done,
    total: markets.length,
    ...more,
  }),
  headers: { 'Retry-After': '1' },
})
