import { describe } from '../catalogue/description.js'
import { catalogue } from '../catalogue/index.js'
import { ok, type Reply } from './reply.js'

let list: Reply | undefined

/** `GET /indicators`: every indicator with its parameters, outputs, inputs and warm-up, sorted by identifier. */
export function indicatorList(): Reply {
  if (!list) {
    const indicators = [...catalogue.values()].map(describe).sort((a, b) => (a.id < b.id ? -1 : 1))
    list = ok(JSON.stringify({ count: indicators.length, indicators }))
  }
  return list
}
