import { type LayoutFault, severalMarkets } from './layout-fault.js'
import { normalize, spellings } from './spellings.js'

/** The names of the columns, and how many records they are in. */
export interface Header {
  readonly names: readonly string[]
  readonly records: number
}

type Record = readonly string[]

const isTicker = (name = '') => /^(?:ticker|symbol)s?$/i.test(name)
const isBlank = (cells: Record) => cells.every(cell => cell === '')
/** The record with the name of a frame's index, below the names of its columns. */
const namesIndex = ([first = '', ...rest]: Record = []) => /^date(?:time)?$/i.test(first) && isBlank(rest)
const hasPrices = (names: Record) => names.some(name => spellings.close.includes(normalize(name)))

/**
 * The header of a table whose first record names the columns. Frames have a second record with the market of each column, in either
 * order, and a record with the name of their index: of several markets, only the columns of `symbol` keep their names.
 */
export function readHeader(records: readonly Record[], symbol: string | undefined): Header | LayoutFault {
  const [first = [], second = [], third = []] = records
  const hasLevels =
    second.length === first.length &&
    (isTicker(second[0]) ||
      isTicker(first[0]) ||
      (first[0] === '' && second[0] === '' && namesIndex(third))) &&
    (hasPrices(first) ? isText(second) : hasPrices(second) && isText(first))
  if (!hasLevels) return { names: first, records: namesIndex(second) ? 2 : 1 }
  const [names, markets] = hasPrices(first) ? [first, second] : [second, first]
  const count = namesIndex(third) ? 3 : 2
  const own = ownMarket(markets.slice(1), symbol)
  if (typeof own === 'object') return own
  const named = names.map((name, at) => (at === 0 || markets[at] === own ? name : ''))
  return { names: named, records: count }
}

const isText = (cells: Record) => cells.every(cell => !/^[\d.,+-]+$/.test(cell))

/** The market of columns that is wanted. */
function ownMarket(markets: Record, symbol: string | undefined): string | LayoutFault {
  const names = [...new Set(markets.filter(name => name !== ''))]
  const [first = '', second] = names
  if (second === undefined) return first
  const wanted = names.find(name => symbol !== undefined && plainSymbol(name) === plainSymbol(symbol))
  if (wanted !== undefined) return wanted
  return severalMarkets(first, second)
}

/** A symbol without its exchange, without what stands between its currencies, and in capitals. */
export const plainSymbol = (text: string): string =>
  text
    .replace(/^.*:/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()
