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
    return {
      maxBytes: reply.maxBytes,
      refuse: refusal => countReply(reply.refuse?.(refusal) ?? refused(refusal)),
      read: (body, caller) => settle(attempt(() => reply.read(body, caller))),
    }
  }
}
