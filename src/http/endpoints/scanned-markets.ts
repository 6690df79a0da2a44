import type { Expressions } from '../../compute/expressions/expressions.js'
import { singleTable } from '../../compute/tables/table.js'
import type { Account } from '../../contract/account.js'
import { readBodyFields } from '../../contract/body.js'
import type { Fields } from '../../contract/fields.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { formatShape } from '../../contract/table-format.js'
import { withTimeout } from '../../runtime/deadline.js'
import type { ScannedRequest } from '../../screens/request.js'
import type { Scan } from '../../screens/scan.js'
import type { ScreenAnswer, Screener } from '../../screens/screener.js'
import { staleHeaders, waitSecondsOf } from '../candles-reply.js'
import { type Caller, ok, type QueryHead, type Reply, refused, withHeaders } from '../reply.js'
import { readAnswerOptions } from '../tables/answer-format.js'
import type { TableReplies } from '../tables/table-replies.js'

export interface ScannedDependencies {
  readonly tables: TableReplies
  readonly screener: Screener
  readonly expressions: Expressions
}

/** A question over the markets of a scan, and the form of its answer. */
interface ScannedQuestion<Request extends ScannedRequest> {
  readonly kind: 'screen' | 'breadth'
  read(fields: Fields, expressions: Expressions): Request | Refusal
  answer(request: Request, scan: Scan): Promise<ScreenAnswer | Refusal>
  table(text: string, request: Request): Parameters<typeof singleTable>[0]
  /** Additional fields of a reply while candles are being fetched. */
  pending?(scan: Scan): object
}

/** Default time that a request waits for candles, in seconds. A few markets need less. */
const graceSeconds = 0.5

/** Reply to a request over many markets of an exchange. */
export async function replyFromMarkets<Request extends ScannedRequest>(
  question: ScannedQuestion<Request>,
  { screener, expressions, tables }: ScannedDependencies,
  head: QueryHead & Caller,
  account: Account,
  body: Uint8Array,
): Promise<Reply> {
  const asked = readAnswerOptions(head, formatShape, `/${question.kind}`)
  if (isRefusal(asked)) return refused(asked)
  const fields = readBodyFields(body)
  const request = isRefusal(fields) ? fields : question.read(fields, expressions)
  if (isRefusal(request)) return refused(request)
  const scan = await screener.scan(request, account)
  if (isRefusal(scan)) return refused(scan)
  const { format } = asked
  const answered = async (): Promise<Reply> => {
    const answer = await question.answer(request, scan)
    if (isRefusal(answer)) return refused(answer)
    const { text, age } = answer
    const reply =
      format === 'json'
        ? ok(text)
        : await tables.ofLayout(singleTable(question.table(text, request)), format, head, account.id)
    return age === undefined ? reply : withHeaders(reply, staleHeaders(age))
  }
  const pending = () => pendingReply(question.kind, request, scan, question.pending?.(scan))
  return replyAfterScan(head, scan, screener.othersReady(request, account.id), answered, pending)
}

/** Reply to a request over the markets of a scan. It is `pending` if the scan lasts longer than the client waits. */
async function replyAfterScan(
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

/** Reply while candles are being fetched: `done` of `total` markets were tried. */
const pendingReply = (
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
