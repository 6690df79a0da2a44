import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { describe as describeEntry } from '../../../src/catalogue/description.js'
import { guide } from '../../../src/catalogue/guide.js'
import { catalogue } from '../../../src/catalogue/index.js'
import { allOtherNames, nameBehind } from '../../../src/catalogue/other-names.js'
import { searchCatalogue } from '../../../src/catalogue/search.js'
import { rareNames, tierOf } from '../../../src/catalogue/tiers.js'
import { nearIndicators } from '../../../src/contract/near-indicators.js'

/** The indicators that are compared with other libraries. */
const compared: readonly string[] = Object.keys(
  JSON.parse(readFileSync(new URL('../../../docs/comparison.json', import.meta.url), 'utf8')).indicators,
)
const known = new Set(compared)
const unknown = (names: readonly string[]) => names.filter(name => !known.has(name))
const bare = (name: string) => name.toLowerCase().replace(/[^a-z0-9%&]/g, '')
/** Those that are in the catalogue; the others are not compiled in. */
const present = allOtherNames.filter(([, name]) => catalogue.has(name))

describe('the comparison with other libraries', () => {
  it('has the 648 indicators of the catalogue', () => {
    expect(compared).toHaveLength(648)
    expect([...compared].sort()).toEqual([...catalogue.keys()].sort())
  })
})

describe('the guide', () => {
  it('has a text for every indicator, and for no other', () => {
    expect([...known].filter(name => !guide[name])).toEqual([])
    expect(unknown(Object.keys(guide))).toEqual([])
  })

  it('says something of its own about each, in whole sentences', () => {
    const texts = Object.values(guide).map(([text]) => text)
    expect(new Set(texts).size).toBe(texts.length)
    for (const text of texts) expect(text, text).toMatch(/^[\dA-Z][^\n]{60,}\.$/)
  })

  it('relates indicators that exist, each once and none to itself', () => {
    for (const [name, [, related]] of Object.entries(guide)) {
      const names = related.split(' ').filter(Boolean)
      expect(unknown(names), name).toEqual([])
      expect(names, name).not.toContain(name)
      expect(new Set(names).size, name).toBe(names.length)
      expect(names.length, name).toBeGreaterThan(0)
    }
  })

  it('is a part of every description', () => {
    for (const entry of catalogue.values()) {
      const { description, related } = describeEntry(entry)
      expect(description).toBe(guide[entry.name]?.[0])
      expect(related.length, entry.name).toBeGreaterThan(0)
    }
  })
})

describe('tiers', () => {
  it('are those of indicators that exist', () => {
    expect(unknown(rareNames)).toEqual([])
    expect(new Set(rareNames).size).toBe(rareNames.length)
    expect([tierOf('rsi'), tierOf('tdi'), tierOf('tke')]).toEqual([1, 2, 3])
  })
})

describe('other names', () => {
  it('are no names of indicators, each of one indicator that exists', () => {
    const names = allOtherNames.map(([other]) => bare(other))
    expect(names.filter(name => compared.some(each => bare(each) === name))).toEqual([])
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    expect(unknown(allOtherNames.map(([, name]) => name))).toEqual([])
  })

  it('lead to the indicator however they are spelled', () => {
    for (const [other, name] of allOtherNames)
      for (const spelled of [other, other.toUpperCase(), bare(other), other.replaceAll(' ', '_')])
        expect(nameBehind(spelled), spelled).toBe(name)
    expect(nameBehind('nothing like it')).toBeUndefined()
    expect(nameBehind('constructor')).toBeUndefined()
  })

  it('are found by the search before anything else, and named by refusals', () => {
    for (const [other, name] of present) {
      expect(searchCatalogue({ words: other })[0]?.name, other).toBe(name)
      expect(nearIndicators(bare(other)), other).toEqual([name])
    }
    expect(present.length).toBeGreaterThan(150)
  })
})

describe('the search', () => {
  const find = (search: Parameters<typeof searchCatalogue>[0]) =>
    searchCatalogue(search).map(({ name }) => name)

  it('finds each indicator first by its name', () => {
    for (const name of catalogue.keys()) expect(find({ words: name })[0], name).toBe(name)
  })

  it('finds by all words of titles, other names and categories', () => {
    expect(find({ words: 'Average EXPONENTIAL moving' })).toContain('ema')
    expect(find({ words: 'bull power' })).toEqual(['elderray'])
    expect(find({ words: 'hull volatility' })).toEqual([])
    expect(find({ words: '  ' })).toEqual([...catalogue.keys()].sort())
  })

  it('keeps to a category and a tier', () => {
    const found = searchCatalogue({ category: 'Volume', tier: 2, words: 'volume' })
    expect(found.map(({ category, name }) => [category, tierOf(name)])).toEqual(
      found.map(() => ['Volume', 2]),
    )
    const tiers = ([1, 2, 3] as const).map(tier => find({ tier }).length)
    expect(tiers.reduce((sum, each) => sum + each)).toBe(catalogue.size)
  })
})
