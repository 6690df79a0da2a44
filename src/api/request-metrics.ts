import type { Counter } from '../metrics/counter.js'
import type { NeedsBody, Reply, RequestHead } from './reply.js'

type Handle = (head: RequestHead) => Reply | Promise<Reply> | NeedsBody

/** The same as `handle`, with every reply counted by `route` (as `routeOf` calls the path) and `status`. */
export function countRequests(handle: Handle, routeOf: (path: string) => string, requests: Counter): Handle {
  return head => {
    const count = (status: number) => requests.add({ route: routeOf(head.path), status: String(status) })
    const answered = (reply: Reply): Reply => {
      count(reply.status)
      return reply
    }
    /** What is thrown ends as 500, and is logged where it ends. */
    const failed = (error: unknown): never => {
      count(500)
      throw error
    }
    const attempt = <Result>(work: () => Result): Result => {
      try {
        return work()
      } catch (error) {
        return failed(error)
      }
    }
    const settle = (reply: Reply | Promise<Reply>) =>
      reply instanceof Promise ? reply.then(answered, failed) : answered(reply)
    const reply = attempt(() => handle(head))
    if (!('read' in reply)) return settle(reply)
    return { read: (body, caller) => settle(attempt(() => reply.read(body, caller))) }
  }
}
