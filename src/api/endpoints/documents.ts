import { fixedBodyOf } from '../files/fixed-body.js'
import type { Reply, RequestHead } from '../reply.js'

/** Replies with a document that the build has written: to make one takes longer than a request may. */
function documentOf(name: string): (head: RequestHead) => Reply | Promise<Reply> {
  const file = new URL(`../../../build/${name}.json`, import.meta.url)
  const body = fixedBodyOf(file, { 'Content-Type': 'application/json' })
  return head => body().reply(head)
}

/** `GET /openapi.json`: the description of the interface. */
export const openapi = () => documentOf('openapi')

/** `GET /asyncapi.json`: the description of the messages over `/streaming`. */
export const asyncapi = () => documentOf('asyncapi')
