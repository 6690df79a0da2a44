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
