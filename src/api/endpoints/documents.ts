import { fixedBodyOf } from '../files/fixed-body.js'
import type { Reply, RequestHead } from '../reply.js'

/** Replies with a document that the build has written, `openapi` or `asyncapi`: to make one takes longer than a request may. */
export function documentOf(name: string): (head: RequestHead) => Reply | Promise<Reply> {
  const file = new URL(`../../../build/${name}.json`, import.meta.url)
  const body = fixedBodyOf(file, { 'Content-Type': 'application/json' })
  return head => body().reply(head)
}
