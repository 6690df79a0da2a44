import { describe } from '../../catalogue/description.js'
import { type Search, searchCatalogue } from '../../catalogue/search.js'
import { readShape, refuseUnknown } from '../../contract/fields.js'
import { readQueryString } from '../../contract/query-string.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { catalogueShape } from '../../contract/requests.js'
import { once } from '../../runtime/once.js'
import { FixedBody } from '../files/fixed-body.js'
import { ok, type Reply, type RequestHead, refused } from '../reply.js'

const listOf = (texts: readonly string[]) => `{"count":${texts.length},"indicators":[${texts.join(',')}]}`

/**
 * `GET /indicators`: every indicator with its parameters, outputs, inputs and warm-up, sorted by identifier; or those of a
 * category or a tier, or those with some words, of which the best comes first.
 */
export class IndicatorList {
  /** The descriptions by identifier, each as JSON, sorted. They are made when they are first needed. */
  readonly #descriptions = once(
    () => new Map(searchCatalogue({}).map(entry => [entry.name, JSON.stringify(describe(entry))])),
  )
  readonly #whole = once(() => {
    const text = listOf([...this.#descriptions().values()])
    return new FixedBody(Buffer.from(text), { 'Content-Type': 'application/json' })
  })

  get(head: RequestHead): Reply | Promise<Reply> {
    if (head.queryString === '') return this.#whole().reply(head)
    const search = readSearch(head.queryString)
    if (isRefusal(search)) return refused(search)
    return ok(listOf(searchCatalogue(search).map(({ name }) => this.#descriptions().get(name) as string)))
  }
}

function readSearch(queryString: string): Search | Refusal {
  const fields = readQueryString(queryString)
  if (isRefusal(fields)) return fields
  const shape = catalogueShape()
  const read =
    refuseUnknown(fields.keys(), 'indicators', Object.keys(shape)) ??
    readShape(shape, Object.fromEntries(fields), ['category', 'tier', 'search'], 'text')
  return isRefusal(read) ? read : { category: read.category, tier: read.tier, words: read.search }
}
