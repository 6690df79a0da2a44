import { type Cell, parseNumber, quoteCell } from './cell.js'
import type { LayoutFault } from './layout-fault.js'
import { normalize, quoteCurrencies, tickNames, volumeStudies } from './spellings.js'

interface VolumeColumns {
  /** The names of the columns as they are written, and in the form of `normalize`. */
  readonly names: readonly string[]
  readonly plainNames: readonly string[]
  /** The column that is called volume, if there is one. */
  readonly plain: number | undefined
  /** Names of the market. */
  readonly symbols: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/**
 * The column of the volume in the base currency, undefined where there is no volume. A column that is called volume comes before those
 * in a currency; `Volume MA` is a calculation over volumes.
 */
export function volumeOf(table: VolumeColumns): number | undefined | LayoutFault {
  const { names, plainNames, plain, symbols, rows } = table
  if (plain !== undefined) {
    // MetaTrader 5 has the number of price changes where a broker knows no volume.
    const ticks = plainNames.findIndex(name => tickNames.includes(name))
    const isZero = rows.length > 0 && rows.every(row => parseNumber(row[plain] ?? '') === 0)
    return ticks >= 0 && isZero ? ticks : plain
  }
  const inCurrency = plainNames.flatMap((name, at) => {
    const currency = /^vol(?:ume)?(.+)$/.exec(name)?.[1]
    return currency === undefined || volumeStudies.includes(currency.replace(/(?<!\d)\d+$/, ''))
      ? []
      : [{ at, currency }]
  })
  const quotes = [...quoteCurrencies, ...inCurrency.map(({ currency }) => currency)]
  const markets = symbols.map(basesOf)
  const ofBase = inCurrency.find(({ currency }) => markets.some(isBase => isBase(currency, quotes)))
  if (ofBase) return ofBase.at
  const ofOther = inCurrency.filter(({ currency }) => !quoteCurrencies.includes(currency))
  const [first, second] = ofOther.length > 0 ? ofOther : inCurrency
  if (second === undefined) return first?.at
  const [one, other] = [first, second].map(each => quoteCell(names[each?.at as number] as string))
  return { reason: `two volumes: the volume may be ${one} or ${other}`, option: '--columns volume=<name>' }
}

/** Whether a currency is the base of a symbol: what stands before a slash, or before a known currency of quotes. */
function basesOf(symbol: string): (currency: string, quotes: readonly string[]) => boolean {
  const [base, quote] = symbol.replace(/^.*:/, '').split(/[/_-]/).map(normalize) as [string, string?]
  if (quote !== undefined) return currency => currency === base
  return (currency, quotes) =>
    base === currency || (base.startsWith(currency) && quotes.includes(base.slice(currency.length)))
}
