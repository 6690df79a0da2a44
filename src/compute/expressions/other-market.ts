import { maxNameLength } from '../../contract/limits.js'
import { canonicalSymbol } from '../../contract/market.js'

/** Another market whose candles an expression reads, in the timeframe of its own. */
export interface OtherMarket {
  /** Lower case; undefined for the exchange of the expression's own market. */
  readonly exchange: string | undefined
  /** Upper case, without slash or dash. */
  readonly symbol: string
}

/** Between braces: a symbol, with its exchange before a colon where that is another one, and `strict` behind a comma. */
const pattern = /^\s*(?:([^\s:,]+):)?([^\s,]+?)\s*(,\s*strict\s*)?$/i

/** Reads what stands between braces; undefined where that names no market. */
export function readOther(text: string): (OtherMarket & { readonly isStrict: boolean }) | undefined {
  const [, exchange, name = '', strict] = pattern.exec(text) ?? []
  const symbol = canonicalSymbol(name)
  if (symbol === '' || text.length > maxNameLength) return undefined
  return { exchange: exchange?.toLowerCase(), symbol, isStrict: strict !== undefined }
}

/** A market as it is written between braces. */
export const nameOfOther = ({ exchange, symbol }: OtherMarket): string =>
  exchange === undefined ? symbol : `${exchange}:${symbol}`
