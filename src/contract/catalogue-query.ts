import { type Category, categories } from '../catalogue/index.js'
import type { Search } from '../catalogue/search.js'
import { tiers } from '../catalogue/tiers.js'
import { maxNameLength } from './limits.js'
import { readQueryString } from './query-string.js'
import { expected, invalidValue, isRefusal, type Refusal, unknownParameter } from './refusals.js'

/** The parameters of a search in the catalogue, in the order in which they are shown. */
export const searchFields = ['category', 'search', 'tier'] as const

/** Reads the query string of `GET /indicators`. A category may be given in any case. */
export function readCatalogueQuery(queryString: string): Search | Refusal {
  const fields = readQueryString(queryString)
  if (isRefusal(fields)) return fields
  for (const name of fields.keys())
    if (!(searchFields as readonly string[]).includes(name))
      return unknownParameter(name.slice(0, 60), 'indicators', searchFields)
  const names = Object.keys(categories) as Category[]
  const given = fields.get('category')
  const category = names.find(name => name.toLowerCase() === given?.toLowerCase())
  if (given !== undefined && category === undefined)
    return invalidValue('category', given.slice(0, 60), expected.oneOf(names))
  const rank = fields.get('tier')
  const tier = tiers.find(each => String(each) === rank)
  if (rank !== undefined && tier === undefined)
    return invalidValue('tier', rank.slice(0, 60), expected.oneOf(tiers))
  const words = fields.get('search')
  // Each word is looked for in every indicator.
  if (words !== undefined && words.length > maxNameLength) return invalidValue('search', words, expected.name)
  return { category, tier, words }
}
