import { describe } from '../../catalogue/description.js'
import { type Search, searchCatalogue } from '../../catalogue/search.js'
import { readQueryFields } from '../../contract/fields.js'
import { isRefusal, type Refusal } from '../../contract/refusals.js'
import { catalogueShape } from '../../contract/requests.js'
import { once } from '../../runtime/once.js'
import { FixedBody, fixedBodyOf } from '../files/fixed-body.js'
import { ok, type Reply, type RequestHead, refused } from '../reply.js'
import { get, type KeyRoute, type OpenRoute, open } from '../route.js'

const listOf = (texts: readonly string[]) => `{"count":${texts.length},"indicators":[${texts.join(',')}]}`

/**
 * `GET /indicators`: every indicator with its parameters, outputs, inputs and warm-up, sorted by identifier. Optionally
 * only a category or a tier, or the results of a search, best first.
 */
export class IndicatorList {
  /** Sorted descriptions by identifier, each as JSON. They are written when they are first needed. */
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
  const read = readQueryFields(queryString, 'indicators', catalogueShape(), ['category', 'tier', 'search'])
  return isRefusal(read) ? read : { category: read.category, tier: read.tier, words: read.search }
}

export const indicatorsRoute: KeyRoute<{ readonly indicatorList: IndicatorList }> = get({
  path: '/indicators',
  answer: ({ indicatorList }, { request }) => indicatorList.get(request),
  describe: () => ({
    id: 'indicators',
    tag: 'Catalogue',
    summary: 'Every indicator, or the matching ones, with parameters and outputs',
    description:
      'Without parameters sorted by identifier; with `search` an exact name or other name comes first, then the shortest.',
    query: catalogueShape(),
    replies: { 200: { description: 'The catalogue.', schema: 'indicatorList', headers: ['ETag'] } },
    statuses: [304],
  }),
})

/** Route of a document that the build has written, because writing it takes longer than a request may. */
function documentRoute(id: 'openapi' | 'asyncapi', summary: string, description: string): OpenRoute<unknown> {
  const file = new URL(`../../../build/${id}.json`, import.meta.url)
  const body = fixedBodyOf(file, { 'Content-Type': 'application/json' })
  return open({
    path: `/${id}.json`,
    hasNoQuery: true,
    answer: (_, request) => body().reply(request),
    describe: () => ({
      id,
      tag: 'Catalogue',
      summary,
      replies: { 200: { description, schema: 'anyObject', headers: ['ETag'] } },
      statuses: [304, 400],
    }),
  })
}

export const openapiRoute = documentRoute('openapi', 'This document', 'An OpenAPI document.')
export const asyncapiRoute = documentRoute(
  'asyncapi',
  'The messages of the streaming connection',
  'An AsyncAPI document.',
)
