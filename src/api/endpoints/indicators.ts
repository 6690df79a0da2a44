import { describe } from '../../catalogue/description.js'
import { catalogue } from '../../catalogue/index.js'
import { once } from '../../contract/once.js'
import { FixedBody } from '../files/fixed-body.js'
import type { Reply, RequestHead } from '../reply.js'

/** The description of every indicator, sorted by identifier. */
const body = once(() => {
  const indicators = [...catalogue.values()].map(describe).sort((a, b) => (a.id < b.id ? -1 : 1))
  const json = JSON.stringify({ count: indicators.length, indicators })
  return new FixedBody(Buffer.from(json), { 'Content-Type': 'application/json' })
})

/** `GET /indicators`: every indicator with its parameters, outputs, inputs and warm-up. */
export const getIndicators = (head: RequestHead): Reply | Promise<Reply> => body().reply(head)
