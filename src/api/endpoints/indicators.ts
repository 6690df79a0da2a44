import { describe } from '../../catalogue/description.js'
import { searchCatalogue } from '../../catalogue/search.js'
import { readCatalogueQuery } from '../../contract/catalogue-query.js'
import { isRefusal } from '../../contract/refusals.js'
import { once } from '../../runtime/once.js'
import { FixedBody } from '../files/fixed-body.js'
import { ok, type Reply, type RequestHead, refused } from '../reply.js'

/** The descriptions by identifier, each as JSON, sorted. */
const descriptions = once(
  () => new Map(searchCatalogue({}).map(entry => [entry.name, JSON.stringify(describe(entry))])),
)

const listOf = (texts: readonly string[]) => `{"count":${texts.length},"indicators":[${texts.join(',')}]}`

/** The description of every indicator, sorted by identifier. */
const body = once(
  () =>
    new FixedBody(Buffer.from(listOf([...descriptions().values()])), { 'Content-Type': 'application/json' }),
)

/**
 * `GET /indicators`: every indicator with its parameters, outputs, inputs and warm-up, sorted by identifier; or those of a
 * category or a tier, or those with some words, of which the best comes first.
 */
export function getIndicators(head: RequestHead): Reply | Promise<Reply> {
  if (head.queryString === '') return body().reply(head)
  const search = readCatalogueQuery(head.queryString)
  if (isRefusal(search)) return refused(search)
  return ok(listOf(searchCatalogue(search).map(({ name }) => descriptions().get(name) as string)))
}
