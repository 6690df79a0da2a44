import { readBodyFields } from '../../contract/body.js'
import { isRefusal } from '../../contract/refusals.js'
import type { Expressions } from '../../expression/expressions.js'
import { withTimeout } from '../../runtime/deadline.js'
import { readScreen, type ScreenRequest } from '../../screen/request.js'
import type { Scan } from '../../screen/scan.js'
import type { Screener } from '../../screen/screener.js'
import type { Account } from '../../store/store.js'
import { staleWarning, waitSecondsOf } from '../candles-reply.js'
import { ok, type Reply, type RequestHead, refused, withHeaders } from '../reply.js'

interface Dependencies {
  readonly screener: Screener
  readonly expressions: Expressions
}

/** How long a request waits for candles of its own accord, in seconds: a few markets take less. */
const graceSeconds = 0.5

/** `POST /screen`: the markets of an exchange at which a condition holds. */
export async function postScreen(
  { screener, expressions }: Dependencies,
  head: Pick<RequestHead, 'header'>,
  account: Account,
  body: Uint8Array,
): Promise<Reply> {
  const fields = readBodyFields(body)
  const request = isRefusal(fields) ? fields : readScreen(fields, expressions)
  if (isRefusal(request)) return refused(request)
  const scan = await screener.scan(request, account)
  if (isRefusal(scan)) return refused(scan)
  if (scan.hasEnded) return replyFrom(screener, request, scan, account)
  const seconds = waitSecondsOf(head)
  const ended = scan.ended.then(() => true)
  const reply = (await withTimeout(ended, Math.max(seconds, graceSeconds)))
    ? await replyFrom(screener, request, scan, account)
    : pendingReply(request, scan)
  return seconds === 0 ? reply : withHeaders(reply, { 'Preference-Applied': `wait=${seconds}` })
}

/** The candles are being fetched: `done` of `total` markets were tried. */
const pendingReply = ({ exchange, timeframe }: ScreenRequest, { done, markets }: Scan): Reply => ({
  status: 202,
  body: JSON.stringify({
    pending: true,
    key: `screen:${exchange}:${timeframe}`,
    done,
    total: markets.length,
  }),
  headers: { 'Retry-After': '1' },
})

async function replyFrom(
  screener: Screener,
  request: ScreenRequest,
  scan: Scan,
  { id }: Account,
): Promise<Reply> {
  const { text, isStale } = await screener.answer(request, scan, id)
  return ok(text, isStale ? staleWarning : undefined)
}
