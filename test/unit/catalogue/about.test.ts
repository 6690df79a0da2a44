import { describe, expect, it } from 'vitest'
import { libraries } from '../../../src/catalogue/about.js'
import { describe as describeEntry } from '../../../src/catalogue/description.js'
import { catalogue } from '../../../src/catalogue/index.js'
import { nameBehind, searchCatalogue, searchMost } from '../../../src/catalogue/search.js'
import { nearIndicators } from '../../../src/contract/near-indicators.js'

const entries = [...catalogue.values()]
const unknown = (names: readonly string[]) => names.filter(name => !catalogue.has(name))
const bare = (name: string) => name.toLowerCase().replace(/[^a-z0-9%&]/g, '')
const allOtherNames = entries.flatMap(({ name, otherNames }) =>
  otherNames.map(other => [other, name] as const),
)

describe('the text of an entry', () => {
  it('says something of its own about each indicator, in whole sentences', () => {
    const texts = entries.map(({ description }) => description)
    expect(new Set(texts).size).toBe(texts.length)
    for (const text of texts) expect(text, text).toMatch(/^[\dA-Z][^\n]{60,}\.$/)
  })

  it('relates indicators that exist, each once and none to itself', () => {
    for (const { name, related } of entries) {
      expect(unknown(related), name).toEqual([])
      expect(related, name).not.toContain(name)
      expect(new Set(related).size, name).toBe(related.length)
      expect(related.length, name).toBeGreaterThan(0)
    }
  })

  it('is a part of every description', () => {
    for (const entry of entries) {
      const { description, related, otherNames, tier } = describeEntry(entry)
      expect({ description, related, otherNames, tier }).toEqual({
        description: entry.description,
        related: entry.related,
        otherNames: entry.otherNames,
        tier: entry.tier,
      })
    }
  })
})

describe('tiers', () => {
  it('are 1 unless an entry says something else', () => {
    expect(['rsi', 'tdi', 'tke'].map(name => catalogue.get(name)?.tier)).toEqual([1, 2, 3])
  })
})

describe('names elsewhere', () => {
  it('are of libraries that are compared, and not empty', () => {
    for (const { name, namesElsewhere } of entries)
      for (const [library, other] of Object.entries(namesElsewhere)) {
        expect(Object.keys(libraries), name).toContain(library)
        expect(other, name).toMatch(/\S/)
      }
  })
})

describe('other names', () => {
  it('are no names of indicators, each of one indicator', () => {
    const names = allOtherNames.map(([other]) => bare(other))
    const ids = new Set(entries.map(({ name }) => bare(name)))
    expect(names.filter(name => ids.has(name))).toEqual([])
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('lead to the indicator however they are spelled', () => {
    for (const [other, name] of allOtherNames)
      for (const spelled of [other, other.toUpperCase(), bare(other), other.replaceAll(' ', '_')])
        expect(nameBehind(spelled), spelled).toBe(name)
    expect(nameBehind('nothing like it')).toBeUndefined()
    expect(nameBehind('constructor')).toBeUndefined()
  })

  it('are found by the search before anything else, and named by refusals', () => {
    for (const [other, name] of allOtherNames) {
      expect(searchCatalogue({ words: other })[0]?.name, other).toBe(name)
      expect(nearIndicators(bare(other)), other).toEqual([name])
    }
    expect(allOtherNames.length).toBeGreaterThan(150)
  })
})

describe('the search', () => {
  const find = (search: Parameters<typeof searchCatalogue>[0]) =>
    searchCatalogue(search).map(({ name }) => name)

  it('finds each indicator first by its name', () => {
    for (const name of catalogue.keys()) expect(find({ words: name })[0], name).toBe(name)
  })

  it('finds by all words of titles, other names, categories, texts and of what groups are called', () => {
    expect(find({ words: 'overbought' })[0]).toBe('rsi')
    expect(find({ words: 'Overbought' })).toEqual(expect.arrayContaining(['stoch', 'willr', 'mfi']))
    expect(find({ words: 'overbought' })).not.toContain('adx')
    const bullish = find({ words: 'bullish reversal pattern' })
    expect(bullish).toEqual(expect.arrayContaining(['engulfing', 'hammer', 'morningstar', 'doublebottom']))
    expect(bullish).not.toContain('shootingstar')
    expect(find({ words: 'bearish reversal' })).toEqual(
      expect.arrayContaining(['engulfing', 'shootingstar', 'doubletop']),
    )
    expect(find({ words: 'trend strength' }).slice(0, 5)).toContain('adx')
    expect(find({ words: 'moving averages' })).toContain('ema')
    expect(searchMost('stop for a loss that trails').map(({ name }) => name)).toContain('atrtrailingstop')
    expect(find({ words: 'Average EXPONENTIAL moving' })).toContain('ema')
    expect(find({ words: 'bull power' })[0]).toBe('elderray')
    expect(find({ words: 'hull volatility' })).toEqual([])
    expect(find({ words: '  ' })).toEqual([...catalogue.keys()].sort())
  })

  it('keeps to a category and a tier', () => {
    const found = searchCatalogue({ category: 'Volume', tier: 2, words: 'volume' })
    expect(found.map(({ category, tier }) => [category, tier])).toEqual(found.map(() => ['Volume', 2]))
    const tiers = ([1, 2, 3] as const).map(tier => find({ tier }).length)
    expect(tiers.reduce((sum, each) => sum + each)).toBe(catalogue.size)
  })
})
