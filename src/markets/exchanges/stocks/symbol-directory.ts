/** Symbols of the US exchanges as published. */
export interface SymbolDirectory {
  /** Symbols with separators, sorted: `AAPL`, `BRK.B`, `ABR$D`. */
  readonly symbols: readonly string[]
  /** Symbols by their spelling without a separator (`BRKB`, `ABRPD`), unless that spelling is a symbol itself. */
  readonly bySpelling: ReadonlyMap<string, string>
}

/** Rules with which a provider spells symbols of the US exchanges. */
interface Spelling {
  /** Replacement of the dot of a share class. */
  readonly dot: string
  /** Replacement of the `$` of a preferred share. Undefined if the provider has no preferred shares. */
  readonly preferred: string | undefined
  /**
   * Replacements of suffixes after the dot: of warrants (W, WS), units (U) and rights (R). Other suffixes of one
   * letter stay unchanged.
   */
  readonly suffixes: Readonly<Record<string, string>>
}

/**
 * A provider's spelling of a symbol of the US exchanges. Undefined for anything else, such as an index or a foreign
 * share.
 */
export function symbolSpelling(symbol: string, { dot, preferred, suffixes }: Spelling): string | undefined {
  const match = /^([A-Z][A-Z0-9]{0,6})(?:([.$])([A-Z]{0,2}))?$/.exec(symbol)
  if (!match) return undefined
  const [, root, separator, suffix = ''] = match
  if (separator === undefined) return root
  if (separator === '$') return preferred === undefined ? undefined : `${root}${preferred}${suffix}`
  const known = Object.hasOwn(suffixes, suffix) ? suffixes[suffix] : suffix.length === 1 ? suffix : undefined
  return known === undefined ? undefined : `${root}${dot}${known}`
}

const yahooSuffixes: Readonly<Record<string, string>> = { W: 'WT', WS: 'WT', U: 'UN', R: 'RI' }

/** Yahoo's spelling of a symbol: `BRK.B` is `BRK-B`, the preferred share `ABR$D` is `ABR-PD`, and the warrant `X.W` is `X-WT`. */
export const yahooSpelling = (symbol: string): string | undefined =>
  symbolSpelling(symbol, { dot: '-', preferred: '-P', suffixes: yahooSuffixes })

/**
 * Reads the file of all securities that Nasdaq trades (`nasdaqtraded.txt`). It has a heading, rows with `|` between
 * the fields, and the creation time in the last line. Omits test issues and symbols without a Yahoo spelling.
 * Undefined if the text is another file or is cut off.
 */
export function readDirectory(text: string): SymbolDirectory | undefined {
  const [heading = '', ...lines] = text.trimEnd().split(/\r?\n/)
  const names = heading.split('|')
  const symbolAt = names.indexOf('Symbol')
  const testAt = names.indexOf('Test Issue')
  if (symbolAt < 0 || testAt < 0 || !/^File Creation Time/.test(lines.pop() ?? '')) return undefined
  const symbols = new Set<string>()
  const bySpelling = new Map<string, string>()
  for (const line of lines) {
    const fields = line.split('|')
    const symbol = fields[symbolAt] ?? ''
    const spelling = fields[testAt] === 'N' ? yahooSpelling(symbol) : undefined
    if (spelling === undefined) continue
    symbols.add(symbol)
    if (spelling !== symbol) bySpelling.set(spelling.replace('-', ''), symbol)
  }
  if (symbols.size === 0) return undefined
  for (const symbol of symbols) bySpelling.delete(symbol)
  return { symbols: Object.freeze([...symbols].sort()), bySpelling }
}
