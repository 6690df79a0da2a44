import { readFields, readText } from '../../contract/body.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { withTimeout } from '../../runtime/deadline.js'
import { RepeatCache } from '../../runtime/repeat-cache.js'
import { readScreen, type ScreenRequest } from '../../screen/request.js'
import type { Scan } from '../../screen/scan.js'
import type { Screener } from '../../screen/screener.js'
import type { Account, FreeRetries } from '../../store/store.js'
import { staleWarning, waitSecondsOf } from '../candles-reply.js'
import { answerRepeatable } from '../repeated-posts.js'
import { ok, type Reply, refused, withHeaders } from '../reply.js'

interface Dependencies {
  readonly screener: Screener
  readonly questions: FreeRetries
}

/** How long a request waits for candles of its own accord, in seconds: a few markets take less. */
const graceSeconds = 0.5

/** Longer bodies are not cached, in characters. */
const maxCachedLength = 100_000

/** Screens by the texts of their bodies; a screen is repeated. */
const requestCache = new RepeatCache<ScreenRequest>({
  maxBytes: 8_000_000,
  bytesOf: ({ compiled }, text) => text.length + compiled.spec.indicator.bytes,
})

/** `POST /screen`: the markets of an exchange at which a condition holds. */
export const postScreen = (
  { screener, questions }: Dependencies,
  body: Uint8Array,
  account: Account,
  prefer: string,
): Reply | Promise<Reply> =>
  answerRepeatable(questions, account, '/screen', body, () => {
    const request = readRequest(body)
    if (isRefusal(request)) return refused(request)
    const scan = screener.scan(request, account)
    return scan instanceof Promise
      ? scan.then(settled => replyTo(screener, request, settled, prefer, account.id))
      : replyTo(screener, request, scan, prefer, account.id)
  })

function readRequest(body: Uint8Array): ScreenRequest | Refusal {
  const text = readText(body)
  if (isRefusal(text)) return text
  const known = requestCache.get(text)
  if (known) return known
  const fields = readFields(text)
  if (isRefusal(fields)) return fields
  const request = readScreen(fields)
  if (!isRefusal(request) && text.length <= maxCachedLength) requestCache.add(text, request)
  return request
}

function replyTo(
  screener: Screener,
  request: ScreenRequest,
  scan: Scan | Refusal,
  prefer: string,
  accountId: string,
): Reply | Promise<Reply> {
  if (isRefusal(scan)) return refused(scan)
  if (scan.hasEnded) return replyFrom(screener, request, scan, accountId)
  const seconds = waitSecondsOf(prefer)
  const reply = withTimeout(
    scan.ended.then(() => true),
    Math.max(seconds, graceSeconds),
  ).then(hasEnded => (hasEnded ? replyFrom(screener, request, scan, accountId) : pendingReply(request, scan)))
  return seconds === 0
    ? reply
    : reply.then(settled => withHeaders(settled, { 'Preference-Applied': `wait=${seconds}` }))
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

function replyFrom(
  screener: Screener,
  request: ScreenRequest,
  scan: Scan,
  accountId: string,
): Reply | Promise<Reply> {
  const compose = ({ text, isStale }: { readonly text: string; readonly isStale: boolean }): Reply =>
    ok(text, isStale ? staleWarning : undefined)
  const answer = screener.answer(request, scan, accountId)
  return answer instanceof Promise ? answer.then(compose) : compose(answer)
}
