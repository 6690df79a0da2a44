import { isTimeframe, type Timeframe, timeframes } from '../candles/timeframe.js'
import { isAbsent, type JsonObject, jsonText } from './json-value.js'
import { maxNameLength } from './limits.js'
import type { Fields, ValueFormat } from './query.js'
import { expected, invalidTimeframe, invalidValue, missingRequired, type Refusal } from './refusals.js'

/** Which candles are meant: normalised, but neither exchange nor symbol need exist. */
export interface Market {
  /** Lower case. */
  readonly exchange: string
  /** Upper case, without slash or dash. */
  readonly symbol: string
  readonly timeframe: Timeframe
}

/** The key of a market's candles in memory and in the archive. */
export const keyOf = ({ exchange, symbol, timeframe }: Market): string => `${exchange}:${symbol}:${timeframe}`

/** The fields that name a market. */
export const marketFields = ['exchange', 'symbol', 'timeframe'] as const

/** The canonical spelling of a symbol. */
export const canonicalSymbol = (symbol: string): string => symbol.replace(/[/-]/g, '').toUpperCase()

/**
 * Refuses a request in which some of `names` are missing. `given` returns the names of all its fields, where `fields` are
 * not all of them.
 */
export function refuseMissing(
  fields: JsonObject,
  names: readonly string[],
  given: () => Iterable<string> = () => Object.keys(fields),
): Refusal | undefined {
  for (const name of names) {
    if (!isAbsent(fields[name])) continue
    const missing = names.filter(other => isAbsent(fields[other]))
    return missingRequired(
      missing,
      [...given()].filter(other => !names.includes(other)),
    )
  }
  return undefined
}

/** Refuses the first of `names` that is not a text of at most 100 characters. */
export function refuseBadNames(
  fields: JsonObject,
  names: readonly string[],
  format: ValueFormat,
): Refusal | undefined {
  for (const name of names) {
    const value = fields[name]
    if (typeof value !== 'string' || value.length > maxNameLength)
      return invalidValue(name, format === 'text' ? value : jsonText(value), expected.name)
  }
  return undefined
}

/** The market of an exchange and a symbol in any spelling. */
export const toMarket = (exchange: string, symbol: string, timeframe: unknown): Market | Refusal =>
  typeof timeframe === 'string' && isTimeframe(timeframe)
    ? { exchange: exchange.toLowerCase(), symbol: canonicalSymbol(symbol), timeframe }
    : invalidTimeframe(timeframe, Object.keys(timeframes))

/** Reads the market that a JSON object names. */
export const readMarket = (
  fields: JsonObject,
  format: ValueFormat = 'json',
  given?: () => Iterable<string>,
): Market | Refusal =>
  refuseMissing(fields, marketFields, given) ??
  refuseBadNames(fields, ['exchange', 'symbol'], format) ??
  toMarket(fields.exchange as string, fields.symbol as string, fields.timeframe)

/** Reads the market that a query string names. */
export const readQueriedMarket = (fields: Fields): Market | Refusal =>
  readMarket(
    {
      exchange: fields.get('exchange'),
      symbol: fields.get('symbol'),
      timeframe: fields.get('timeframe'),
    },
    'text',
    () => fields.keys(),
  )
