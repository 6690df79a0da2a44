import { defaultsOf } from '../../src/catalogue/description.js'
import { type Category, catalogue, type Entry } from '../../src/catalogue/index.js'
import { outputValue } from '../../src/catalogue/output-values.js'
import { entryOf, type Given, type PlainColumns, run } from '../support/kernel.js'
import type { Reading } from './fixture.js'

/** The categories whose indicators report events. */
const eventCategories: readonly Category[] = [
  'Divergence',
  'Market Structure',
  'Pattern Recognition - Advanced',
  'Pattern Recognition - Simple',
]

/** Every indicator that reports events. */
export const detectors: readonly Entry[] = [...catalogue.values()].filter(({ category }) =>
  eventCategories.includes(category),
)

/** The readings of every candle, by output. */
export type Readings = Readonly<Record<string, readonly Reading[]>>

/** Facts about indicators that the checks of a fixture need. */
export interface Indicators {
  /** An indicator's parameters with their defaults. */
  defaultsOf(id: string): Given
  /** The names of its outputs that report events. */
  signalsOf(id: string): readonly string[]
  readingsOf(id: string, market: PlainColumns, params?: Given): Readings
}

/** Value of an output whose columns have the values that `read` returns. */
function readingOf(output: Entry['outputs'][number], read: (column: number) => number): Reading {
  const value = read(output.column)
  if (Number.isNaN(value)) return null
  switch (output.kind) {
    case 'flag':
      return value !== 0
    case 'label':
      return output.labels[value] ?? null
    case 'names':
      return outputValue(output, read)
    default:
      return value
  }
}

/** The signals of an entry that report events. A direction is no event: it is given as long as it lasts. */
export const signalsOf = ({ outputs }: Entry) =>
  outputs.filter(({ kind, name }) => kind === 'signal' && !/direction$/i.test(name))

/** The indicators of the catalogue. */
export const indicators: Indicators = {
  defaultsOf: id => defaultsOf(entryOf(id)),
  signalsOf: id => signalsOf(entryOf(id)).map(({ name }) => name),
  readingsOf: (id, market, params = {}) => {
    const columns = run(id, market, params)
    return Object.fromEntries(
      entryOf(id).outputs.map(output => [
        output.name,
        market.close.map((_, i) => readingOf(output, column => columns[column]?.[i] as number)),
      ]),
    )
  },
}
