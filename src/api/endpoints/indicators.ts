import { describe } from '../../catalogue/description.js'
import { catalogue } from '../../catalogue/index.js'
import { once } from '../../contract/once.js'
import { ok, type Reply } from '../reply.js'

/** `GET /indicators`: every indicator with its parameters, outputs, inputs and warm-up, sorted by identifier. */
export const getIndicators = once((): Reply => {
  const indicators = [...catalogue.values()].map(describe).sort((a, b) => (a.id < b.id ? -1 : 1))
  return ok(JSON.stringify({ count: indicators.length, indicators }))
})
