import { type Refusal, refusal } from './refusal.js'

/** What exchanges give of a derivative beside its candles, and what that is called in sentences. */
export const derivativeKinds = {
  funding: 'funding rates',
  openinterest: 'open interest',
  markprice: 'mark prices',
  indexprice: 'index prices',
} as const

export type DerivativeKind = keyof typeof derivativeKinds

const suffixes = Object.keys(derivativeKinds).map(kind => `\`.${kind}\``)
/** The ends of symbols that name a series, in words. */
export const seriesSuffixes = `${suffixes.slice(0, -1).join(', ')} or ${suffixes.at(-1)}`

/** A series of a derivative that is no candles of its trades. */
export interface DerivativeSeries {
  /** The symbol of the derivative. */
  readonly symbol: string
  readonly kind: DerivativeKind
}

/**
 * The symbol of a series of a derivative, as markets have it: BTCUSDT.FUNDING. In an expression, a symbol that begins with the dot
 * is a series of the market that the expression is about.
 */
export const symbolOfSeries = ({ symbol, kind }: DerivativeSeries): string =>
  `${symbol}.${kind.toUpperCase()}`

/** What the symbol of a market names where it is a series of a derivative. */
export function readSeries(symbol: string): DerivativeSeries | undefined {
  const dot = symbol.lastIndexOf('.')
  const kind = symbol.slice(dot + 1).toLowerCase()
  return dot >= 0 && Object.hasOwn(derivativeKinds, kind)
    ? { symbol: symbol.slice(0, dot), kind: kind as DerivativeKind }
    : undefined
}

/** The kinds that have a value at single times only, instead of candles. */
export type TimesKind = 'funding' | 'openinterest'

export const isOfTimes = (kind: DerivativeKind): kind is TimesKind =>
  kind === 'funding' || kind === 'openinterest'

/** Seconds between two values: most exchanges settle every eight hours, and have open interest of each hour or more often. */
export const usualIntervals: Readonly<Record<TimesKind, number>> = { funding: 28_800, openinterest: 3600 }

/** The usual seconds between two values of a series that has them at single times; undefined for all other symbols. */
export function usualIntervalOf(symbol: string): number | undefined {
  const series = readSeries(symbol)
  return series && isOfTimes(series.kind) ? usualIntervals[series.kind] : undefined
}

/** Whether a symbol names a series that has values at single times: there may be hours between two of them. */
export const hasTimes = (symbol: string): boolean => usualIntervalOf(symbol) !== undefined

/** An exchange gives no history of a kind. */
export const noSeriesOfExchange = (kind: DerivativeKind, exchange: string): Refusal =>
  refusal(404, `No ${kind}: ${exchange} gives no history of ${derivativeKinds[kind]}`)

/** A symbol is that of a spot market, or for funding of a future with a date. */
export const noSeriesOfMarket = (kind: DerivativeKind, symbol: string, exchange: string): Refusal =>
  refusal(
    404,
    `No ${kind}: ${symbol} on ${exchange} is not a ${kind === 'funding' ? 'perpetual' : 'derivative'}`,
  )
