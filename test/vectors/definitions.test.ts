import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { testedEntries } from '../support/built-kernels.js'
import { longFor } from '../support/laws/settings.js'
import { type Outputs, readDefinitions, readMarket, type Value } from './vector-file.js'

/** A column as the file has it: a list, or runs of equal values with their lengths. */
type Column = readonly Value[] | { readonly runs: readonly (readonly [Value, number])[] }
interface Vector {
  readonly cases: readonly {
    readonly market: string
    readonly params: object
    readonly outputs: Readonly<Record<string, Column>>
  }[]
}

const expand = (column: Column): readonly Value[] =>
  'runs' in column ? column.runs.flatMap(([value, count]) => Array<Value>(count).fill(value)) : column

/** Relative to the value, or to a thousandth of the largest value of its column if that is larger. */
const tolerance = 1e-9

/** A sentence about the first candle at which a definition differs from its vector. */
function difference(name: string, found: readonly Value[], wanted: readonly Value[]): string | undefined {
  if (found.length !== wanted.length) return `${found.length} values of ${name} for ${wanted.length}`
  const sizes = wanted.map(value => (typeof value === 'number' ? Math.abs(value) : 0))
  const scale = sizes.reduce((top, size) => Math.max(top, size), 0)
  const at = wanted.findIndex((expected, i) => {
    const value = found[i]
    if (typeof expected !== 'number')
      return (typeof value === 'number' && !Number.isFinite(value) ? null : value) !== expected
    return !(Math.abs(Number(value) - expected) <= tolerance * Math.max(Math.abs(expected), 1e-3 * scale))
  })
  return at < 0
    ? undefined
    : `candle ${at} of ${name}: the definition gives ${found[at]}, the vector ${wanted[at]}`
}

const definitions = await readDefinitions()

test('there are definitions', () => {
  expect(Object.keys(definitions)).not.toEqual([])
})

for (const entry of testedEntries) {
  const { name } = entry
  const description = definitions[name]
  if (description === undefined) continue
  describe(`the definition of ${name} equals the vector`, longFor(entry), () => {
    const { cases }: Vector = JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'))

    test('in its markets and parameters', () => {
      expect(cases.map(({ market, params }) => [market, params])).toEqual(description.cases)
    })

    test.each(cases)('on $market with $params', async ({ market, params, outputs }) => {
      const found: Outputs = await description.compute(readMarket(market), params)
      expect(Object.keys(found)).toEqual(Object.keys(outputs))
      for (const [output, column] of Object.entries(outputs))
        expect(difference(output, found[output] ?? [], expand(column))).toBeUndefined()
    })
  })
}
