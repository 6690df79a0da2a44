import type { Counter } from '../metrics/counter.js'
import { type NeedsBody, needsBody, type Reply, type RequestHead, refused } from './reply.js'

type Handle = (head: RequestHead) => Reply | Promise<Reply> | NeedsBody

/** The same as `handle`, with every reply counted by `route` (the name that `routeOf` gives its path) and `status`. */
export function countRequests(handle: Handle, routeOf: (path: string) => string, requests: Counter): Handle {
  return head => {
    const count = (status: number) => requests.add({ route: routeOf(head.path), status: String(status) })
    const countReply = (reply: Reply): Reply => {
      count(reply.status)
      return reply
    }
    /** The server answers an error with 500 and logs it. */
    const countError = (error: unknown): never => {
      count(500)
      throw error
    }
    const attempt = <Result>(work: () => Result): Result => {
      try {
        return work()
      } catch (error) {
        return countError(error)
      }
    }
    const settle = (reply: Reply | Promise<Reply>) =>
      reply instanceof Promise ? reply.then(countReply, countError) : countReply(reply)
    const reply = attempt(() => handle(head))
    if (reply instanceof Promise || !needsBody(reply)) return settle(reply)
    return countBody(reply, settle, attempt)
  }
}

type Settle = (reply: Reply | Promise<Reply>) => Reply | Promise<Reply>

/** Counts the reply to a request with a body once: one that refuses it may come before or after the body. */
function countBody(
  reader: NeedsBody,
  settle: Settle,
  attempt: <Result>(work: () => Result) => Result,
): NeedsBody {
  let isCounted = false
  const settleOnce: Settle = reply => {
    if (isCounted) return reply
    isCounted = true
    return settle(reply)
  }
  return {
    maxBytes: reader.maxBytes,
    ...(reader.refused && { refused: reader.refused.then(reply => reply && settleOnce(reply)) }),
    refuse: refusal => settleOnce(reader.refuse?.(refusal) ?? refused(refusal)),
    read: (body, caller) => settleOnce(attempt(() => reader.read(body, caller))),
  }
}
