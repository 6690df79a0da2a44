import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/catalogue/index.js'
import { outputValue } from '../../src/catalogue/output-values.js'
import { testedEntries } from '../support/built-kernels.js'
import { type Given, type PlainColumns, plainColumns, run, valuesOf } from '../support/kernel.js'

type Expected = number | string | boolean | null
interface Case {
  readonly market: string
  readonly params: Given
  readonly outputs: Readonly<Record<string, readonly Expected[]>>
}
interface Vector {
  readonly source: string
  readonly cases: readonly Case[]
}
/** A column as the file has it: a list, or runs of equal values with their lengths. */
type StoredColumn = readonly Expected[] | { readonly runs: readonly (readonly [Expected, number])[] }

const expand = (column: StoredColumn): readonly Expected[] =>
  'runs' in column ? column.runs.flatMap(([value, count]) => Array<Expected>(count).fill(value)) : column

/** Relative to the value, or to a thousandth of the largest value of its column if that is larger. */
const tolerance = 1e-9

function readVector(name: string): Vector | undefined {
  const file = new URL(`${name}.json`, import.meta.url)
  if (!existsSync(file)) return undefined
  const { source, cases } = JSON.parse(readFileSync(file, 'utf8'))
  return {
    source,
    cases: cases.map((each: Case) => ({
      ...each,
      outputs: Object.fromEntries(
        Object.entries(each.outputs).map(([key, column]) => [key, expand(column as StoredColumn)]),
      ),
    })),
  }
}

const markets = new Map<string, PlainColumns>()
/** The columns of a market, read once: every case runs over one of a few markets. */
function marketOf(name: string): PlainColumns {
  const market = markets.get(name) ?? readMarket(name)
  markets.set(name, market)
  return market
}

function readMarket(name: string): PlainColumns {
  const file = new URL(`markets/${name}.csv`, import.meta.url)
  const [header = '', ...rows] = readFileSync(file, 'utf8').trim().split('\n')
  const cells = rows.map(row => row.split(',').map(Number))
  return plainColumns(name => {
    const k = header.split(',').indexOf(name)
    return cells.map(row => row[k] as number)
  })
}

/** A sentence about the first candle at which the kernel differs from the vector; undefined when none does. */
function difference(
  output: Entry['outputs'][number],
  columns: readonly Float64Array[],
  expected: Case['outputs'][string],
): string | undefined {
  const got = columns[output.column] as Float64Array
  if (got.length !== expected.length) return `${got.length} values for ${expected.length} candles`
  const scale = expected.reduce<number>(
    (top, value) => (typeof value === 'number' ? Math.max(top, Math.abs(value)) : top),
    0,
  )
  for (const [i, wanted] of expected.entries()) {
    const value = got[i] as number
    const holds =
      wanted === null
        ? Number.isNaN(value)
        : output.kind === 'names'
          ? outputValue(output, column => columns[column]?.[i] as number) === wanted
          : output.kind === 'label'
            ? output.labels[value] === wanted
            : output.kind === 'flag'
              ? value === Number(wanted)
              : output.kind === 'signal'
                ? value === wanted
                : Math.abs(value - Number(wanted)) <=
                  tolerance * Math.max(Math.abs(Number(wanted)), 1e-3 * scale)
    if (!holds) return `candle ${i} of ${output.name}: the kernel gives ${value}, the vector ${wanted}`
  }
  return undefined
}

/** Number of different sets of parameters of an entry. */
const setsOf = ({ params }: Entry): number =>
  Object.values(params)
    .map(param => (param.kind === 'choice' ? param.of.length : param.kind === 'flag' ? 2 : Infinity))
    .reduce((product, count) => product * count, 1)

describe.each(testedEntries)('the vector of $name', entry => {
  const vector = readVector(entry.name)

  test('exists and names its source', () => {
    expect(vector, `test/vectors/${entry.name}.json is missing`).toBeDefined()
    expect(vector?.source, 'a vector without a source proves nothing').toMatch(/\S/)
  })

  test('covers the defaults, every parameter and every output', () => {
    const cases = vector?.cases ?? []
    const sets = new Set(cases.map(({ params }) => JSON.stringify(valuesOf(entry, params))))
    const names = Object.keys(entry.params)
    expect(sets.size, 'different sets of parameters').toBeGreaterThanOrEqual(Math.min(3, setsOf(entry)))
    expect([...sets], 'a case with the defaults').toContain(JSON.stringify(valuesOf(entry)))
    for (const name of names)
      expect(
        new Set(cases.map(({ params }) => valuesOf(entry, params).params[name])).size,
        `values of ${name}`,
      ).toBeGreaterThan(1)
    for (const { outputs } of cases)
      expect(Object.keys(outputs)).toEqual(entry.outputs.map(output => output.name))
  })

  test('has a value in every case, every sparse output and every signal in one', () => {
    const hasValue = (values: readonly Expected[] = []) => values.some(value => value !== null)
    for (const { name, sparse } of entry.outputs) {
      const cases = vector?.cases ?? []
      // Without a pattern, its levels have no values.
      if (sparse)
        expect(
          cases.some(({ outputs }) => hasValue(outputs[name])),
          name,
        ).toBe(true)
      else
        for (const { params, outputs } of cases)
          expect(hasValue(outputs[name]), `${name} at ${JSON.stringify(params)}`).toBe(true)
    }
    for (const { name } of entry.outputs.filter(({ kind }) => kind === 'signal'))
      expect(
        vector?.cases.some(({ outputs }) => outputs[name]?.some(value => value)),
        `${name} fires`,
      ).toBe(true)
  })

  test.each(vector?.cases ?? [])(
    'is what the kernel calculates on $market with $params',
    ({ market, params, outputs }) => {
      const got = run(entry.name, marketOf(market), params)
      for (const output of entry.outputs)
        expect(difference(output, got, outputs[output.name] ?? [])).toBeUndefined()
    },
  )

  test.each(vector?.cases ?? [])(
    'leaves out the first candles, as many as its lookback, with $params',
    ({ params, outputs }) => {
      const { params: values } = valuesOf(entry, params)
      for (const { name, sparse, lookback: own } of entry.outputs) {
        const lookback = (own ?? entry.lookback)(values)
        const first = outputs[name]?.findIndex(value => value !== null)
        if (sparse && first === -1) continue
        // A level that only some candles have may begin later.
        if (sparse) expect(first, `first value of ${name}`).toBeGreaterThanOrEqual(lookback)
        else expect(first, `first value of ${name}`).toBe(lookback)
      }
    },
  )
})
