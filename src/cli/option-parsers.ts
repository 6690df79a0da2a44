import { InvalidArgumentError } from 'commander'
import { canonicalSymbol } from '../contract/market.js'

/** Parses a symbol in any spelling. */
export function parseSymbol(text: string): string {
  const symbol = canonicalSymbol(text.trim())
  if (!/^[A-Z0-9._$^=*:]{1,40}$/.test(symbol))
    throw new InvalidArgumentError('Expected a symbol such as BTCUSDT.')
  return symbol
}

export const parseSymbols = (text: string): readonly string[] => text.split(',').map(parseSymbol)

/** Parses an option that is an integer of `min` or more, and of `max` or less where that is given. */
export const integer =
  (min: number, max?: number) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER)) return value
    throw new InvalidArgumentError(
      `Expected an integer ${max === undefined ? `of ${min} or more` : `from ${min} to ${max}`}.`,
    )
  }
