import { describe, expect, test } from 'vitest'
import { defaultsOf, describe as describeEntry } from '../../../src/catalogue/description.js'
import { catalogue, type Entry, type Param } from '../../../src/catalogue/index.js'
import { readConfig } from '../../../src/operate/settings/config.js'

const entries = [...catalogue.values()]
const most = (param: Param) =>
  param.kind === 'choice' ? (param.of.at(-1) as string) : param.kind === 'flag' ? true : param.max

/**
 * Largest number of candles that an entry needs: with all windows at their maximum, or with one parameter changed from
 * the defaults.
 */
function longest(entry: Entry): number {
  const maxima = Object.fromEntries(Object.entries(entry.params).map(([name, param]) => [name, most(param)]))
  const alone = Object.keys(maxima).map(name => ({ ...defaultsOf(entry), [name]: maxima[name] as number }))
  const kinds = Object.entries(defaultsOf(entry)).filter(([name]) => /maType$/i.test(name))
  const windows = { ...maxima, ...Object.fromEntries(kinds) }
  return Math.max(...[windows, ...alone].map(values => entry.lookback(values) + 1))
}

test('no parameters of any entry ask for more candles than are kept by default', () => {
  const { historyDepth } = readConfig({})
  const greedy = entries.filter(entry => longest(entry) > historyDepth)
  expect(greedy.map(entry => `${entry.name} needs ${longest(entry)}`)).toEqual([])
})

describe('relations', () => {
  const related = entries.filter(entry => entry.relations.length > 0)
  const numeric = (entry: Entry, name: string) => {
    const param = entry.params[name]
    if (param?.kind !== 'integer' && param?.kind !== 'number') throw new Error(`${entry.name}.${name}`)
    return param
  }

  test('there are some', () => {
    expect(related.map(entry => entry.name)).toEqual(expect.arrayContaining(['adosc', 'stc', 'vosc']))
  })

  test.each(related)(
    'of $name hold by default, with all at the minimum and with all at the maximum',
    entry => {
      for (const { lower, upper } of entry.relations) {
        const [low, high] = [numeric(entry, lower), numeric(entry, upper)]
        for (const bound of ['default', 'min', 'max'] as const)
          expect(low[bound], `${lower} and ${upper}: ${bound}`).toBeLessThanOrEqual(high[bound])
      }
    },
  )

  test.each(related)('of $name are described at both parameters', entry => {
    const { parameters } = describeEntry(entry)
    for (const { lower, upper } of entry.relations) {
      expect(parameters.find(({ name }) => name === lower)?.atMost).toBe(upper)
      expect(parameters.find(({ name }) => name === upper)?.atLeast).toBe(lower)
    }
  })
})
