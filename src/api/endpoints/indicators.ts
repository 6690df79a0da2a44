import { describe } from '../../catalogue/description.js'
import { searchCatalogue } from '../../catalogue/search.js'
import { readCatalogueQuery } from '../../contract/catalogue-query.js'
import { isRefusal } from '../../contract/refusals.js'
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
    const search = readCatalogueQuery(head.queryString)
    if (isRefusal(search)) return refused(search)
    return ok(listOf(searchCatalogue(search).map(({ name }) => this.#descriptions().get(name) as string)))
  }
}
